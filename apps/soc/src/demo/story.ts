import type { Role } from "../foundation/caller/permissions.ts";
import type { Site } from "../identity/sites/site.ts";
import type { NewUser } from "../identity/users/user.ts";

/** Types of objects with ids. The index in this list is part of each id, so new types must be added at the end. */
const KINDS = [
  "site",
  "alert",
  "case",
  "observable",
  "evidence",
  "comment",
  "task",
  "audit",
  "log",
  "hunt",
  "rule",
  "run",
  "suppression",
  "feedback",
  "match",
  "endpoint",
  "edr_action",
  "soar_rule",
  "automation",
  "approval",
  "channel",
  "delivery",
  "report",
  "execution",
  "investigation",
  "agent_run",
  "device",
  "attestation",
  "firmware",
  "view",
  "exception",
  "backtest",
] as const;

/** Returns the same id for the same object in every run, so that links and screenshots stay valid. */
export function toStoryId(kind: (typeof KINDS)[number], number: number): string {
  const place = (KINDS.indexOf(kind) + 1).toString(16).padStart(3, "0");
  return `019a0000-0000-7000-8${place}-${number.toString(16).padStart(12, "0")}`;
}

export function minutesBefore(now: Date, minutes: number): Date {
  return new Date(now.getTime() - minutes * 60_000);
}

// The company, its people and its adversary are fictitious. Addresses and domains are reserved for documentation (RFC
// 5737, RFC 2606), so that users never look up or block a real one.
export const SITES = {
  office: {
    id: toStoryId("site", 1),
    name: "Head office",
    profile: {
      asset_classes: ["it", "cloud", "identity", "mobile"],
      description: "Offices, file servers and the cloud tenant. Where the intrusion begins.",
      contact: "it-service@manara.example",
    },
  },
  school: {
    id: toStoryId("site", 2),
    name: "Learning centre",
    profile: {
      asset_classes: ["it", "iot", "building"],
      description: "Classrooms with recitation players, door access and cameras.",
      contact: "caretaker@manara.example",
    },
  },
  waterworks: {
    id: toStoryId("site", 3),
    name: "Waterworks",
    profile: {
      asset_classes: ["ot", "iot", "it"],
      description: "Two pumping halls. Controllers are reached through gateways that attest their firmware every hour.",
      contact: "shift-lead@manara.example",
    },
  },
} satisfies Record<string, Site & { profile: { description: string; contact: string } }>;
export const SITE_KEYS = ["office", "school", "waterworks"] as const satisfies (keyof typeof SITES)[];

const ROLE_OF = {
  "sara.mansour": "tier1",
  "yusuf.karim": "tier2",
  "amina.farouk": "tier3",
  "daniel.okafor": "responder",
  "mei.tan": "detection",
  "hassan.ali": "manager",
  "ruth.adler": "auditor",
} as const satisfies Record<string, Role>;
export type Analyst = keyof typeof ROLE_OF;
export const ANALYST_NAMES = [
  "sara.mansour",
  "yusuf.karim",
  "amina.farouk",
  "daniel.okafor",
  "mei.tan",
  "hassan.ali",
  "ruth.adler",
] as const satisfies readonly Analyst[];

export function emailOf(analyst: Analyst): string {
  return `${analyst}@manara.example`;
}

export const ANALYSTS: readonly Omit<NewUser, "password_hash">[] = Object.entries(ROLE_OF).map(([username, role]) => ({
  username,
  role,
  email: `${username}@manara.example`,
  disabled: false,
}));

export const CASE_KEYS = ["takeover", "movement", "devices", "backup"] as const;
export const CASE_IDS: Readonly<Record<(typeof CASE_KEYS)[number], string>> = {
  takeover: toStoryId("case", 1),
  movement: toStoryId("case", 2),
  devices: toStoryId("case", 3),
  backup: toStoryId("case", 4),
};
