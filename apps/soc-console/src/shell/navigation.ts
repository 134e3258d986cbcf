import type { Need } from "../app/session/session.ts";
import type { ShellPhrases } from "./shell-phrases.ts";

export type PlaceName = keyof ShellPhrases["places"];
export type PlaceGroup = keyof ShellPhrases["groups"];

export interface Place {
  name: PlaceName;
  path: string;
  group: PlaceGroup;
  /** The key after `g`. */
  letter: string;
  /** Hidden from users who lack one of these permissions. */
  needs: readonly Need[];
}

/** The pages of the navigation rail, in order. */
export const NAV_ITEMS: readonly Place[] = [
  { name: "overview", path: "/", group: "work", letter: "o", needs: [] },
  { name: "inbox", path: "/inbox", group: "work", letter: "n", needs: [] },
  { name: "alerts", path: "/alerts", group: "work", letter: "a", needs: ["alerts:read"] },
  { name: "cases", path: "/cases", group: "work", letter: "c", needs: ["cases:read"] },
  { name: "approvals", path: "/approvals", group: "work", letter: "p", needs: [] },
  { name: "hunt", path: "/hunt", group: "find", letter: "h", needs: ["siem:read"] },
  { name: "detections", path: "/detections", group: "find", letter: "d", needs: ["detections:read"] },
  { name: "attack", path: "/attack", group: "find", letter: "t", needs: ["detections:read"] },
  { name: "indicators", path: "/indicators", group: "find", letter: "i", needs: ["iocs:read"] },
  { name: "playbooks", path: "/playbooks", group: "act", letter: "b", needs: ["soar:read"] },
  { name: "runs", path: "/runs", group: "act", letter: "r", needs: ["soar:read"] },
  { name: "endpoints", path: "/endpoints", group: "act", letter: "e", needs: ["edr:read"] },
  { name: "devices", path: "/devices", group: "fleet", letter: "v", needs: ["cps:read"] },
  { name: "agents", path: "/agents", group: "fleet", letter: "m", needs: ["agents:read"] },
  { name: "reports", path: "/reports", group: "records", letter: "y", needs: ["reports:read"] },
  { name: "ledger", path: "/ledger", group: "records", letter: "l", needs: ["cases:read"] },
  { name: "audit", path: "/audit", group: "records", letter: "u", needs: ["audit:read"] },
  { name: "settings", path: "/settings", group: "records", letter: "s", needs: [] },
];
