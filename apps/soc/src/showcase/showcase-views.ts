import type { View } from "../identity/me/view.ts";
import { type Analyst, minutesBefore, toStoryId } from "./story.ts";

interface ViewFact extends Pick<View, "page" | "name" | "state"> {
  by: Analyst;
}

const VIEWS: readonly ViewFact[] = [
  {
    by: "amina.farouk",
    page: "alerts",
    name: "Needs a decision",
    state: { filter: { status: ["new", "triaged"], severity: ["critical", "high"] }, sort: "-created_at" },
  },
  { by: "mei.tan", page: "cases", name: "Open cases", state: { filter: { status: ["open", "investigating"] } } },
];
const MADE_MINUTES_AGO = 2000;

export function buildShowcaseViews(now: Date): View[] {
  const created_at = minutesBefore(now, MADE_MINUTES_AGO);
  return VIEWS.map(({ by, ...view }, i) => ({
    ...view,
    id: toStoryId("view", i + 1),
    sharing_mode: "team",
    shared_with_roles: [],
    created_by: by,
    created_at,
    updated_at: created_at,
  }));
}
