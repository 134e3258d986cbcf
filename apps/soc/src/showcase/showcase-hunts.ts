import type { View } from "../identity/me/view.ts";
import type { Hunt } from "../logs/hunts/hunt.ts";
import { type Analyst, minutesBefore, toStoryId } from "./story.ts";

interface HuntFact extends Omit<Hunt, "id" | "created_by" | "created_at" | "updated_at"> {
  minutesAgo: number;
  by: Analyst;
}

const EVERYTHING = { source: null, severity: null, host: null } as const;
const FOR_ALL = { sharing_mode: "team", shared_with_roles: [] as [] } as const;

const HUNTS: readonly HuntFact[] = [
  {
    ...EVERYTHING,
    ...FOR_ALL,
    minutesAgo: 1395,
    by: "yusuf.karim",
    title: "Everything from the address of the takeover",
    description:
      "Searches for other hosts that were reached from there. Began with the sign-in that could not have been Layla's.",
    query: "src_ip:203.0.113.24 OR dst_ip:203.0.113.24",
    tags: ["intrusion", "takeover"],
  },
  {
    ...EVERYTHING,
    ...FOR_ALL,
    minutesAgo: 1070,
    by: "amina.farouk",
    title: "What svc-backup did that is no backup",
    description:
      "The account has rights on every server. Its own server is BACKUP-01; anything else is to be looked at.",
    query: "user:svc-backup NOT host:BACKUP-01",
    tags: ["intrusion", "movement"],
  },
  {
    ...EVERYTHING,
    ...FOR_ALL,
    minutesAgo: 930,
    by: "mei.tan",
    title: "Talk to the controller",
    description: "By address and by name, so that a new address does not hide it.",
    query: 'dst_ip:198.51.100.77 OR attributes.tls.sni:"cdn-update.example" OR "cdn-update.example"',
    tags: ["intrusion", "command-and-control"],
  },
  {
    ...EVERYTHING,
    minutesAgo: 575,
    by: "amina.farouk",
    title: "Devices that attest the unknown measurement",
    description: "The same hash on another device means that it spreads.",
    query: "action:attestation attributes.verdict:untrusted",
    source: "cps-attestation",
    sharing_mode: "roles",
    shared_with_roles: ["admin", "manager", "tier3", "responder"],
    tags: ["intrusion", "devices"],
  },
  {
    ...EVERYTHING,
    ...FOR_ALL,
    minutesAgo: 310,
    by: "mei.tan",
    title: "Writes to controllers from outside the control room",
    description: "HMI-01 is the only station that may write.",
    query: "event_code:modbus.write NOT src_ip:192.0.2.200",
    source: "ot-monitor",
    tags: ["ot"],
  },
];

export function buildShowcaseHunts(now: Date): Hunt[] {
  return HUNTS.map(({ minutesAgo, by, ...fact }, index) => {
    const created_at = minutesBefore(now, minutesAgo);
    return { ...fact, id: toStoryId("hunt", index + 1), created_by: by, created_at, updated_at: created_at };
  });
}

interface ViewFact extends Pick<View, "page" | "name" | "state"> {
  by: Analyst;
}

const VIEWS: readonly ViewFact[] = [
  {
    by: "amina.farouk",
    page: "alerts",
    name: "Needs a decision",
    state: { q: "status:(new OR triaged) severity:(critical OR high)", sort: "-created_at" },
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
