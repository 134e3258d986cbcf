import type { View } from "../identity/me/view.ts";
import type { Hunt } from "../logs/hunts/hunt.ts";
import { SEED } from "./seed.ts";
import { minutesBefore, toStoryId } from "./story.ts";

export function buildShowcaseHunts(now: Date): Hunt[] {
  return SEED.hunts.map(({ minutesAgo, by, ...fact }, index) => {
    const created_at = minutesBefore(now, minutesAgo);
    return {
      ...{ source: null, severity: null, host: null, sharing_mode: "team", shared_with_roles: [] },
      ...fact,
      ...{ id: toStoryId("hunt", index + 1), created_by: by, created_at, updated_at: created_at },
    };
  });
}

const MADE_MINUTES_AGO = 2000;

export function buildShowcaseViews(now: Date): View[] {
  const created_at = minutesBefore(now, MADE_MINUTES_AGO);
  return SEED.views.map(({ by, ...view }, i) => ({
    ...view,
    id: toStoryId("view", i + 1),
    sharing_mode: "team",
    shared_with_roles: [],
    created_by: by,
    created_at,
    updated_at: created_at,
  }));
}
