import type { EdrActionRecord } from "../response/edr/edr.schema.ts";
import type { EndpointRow } from "../response/edr/endpoint.ts";
import { CASE_IDS, minutesBefore, SITES, type SiteKey, toStoryId } from "./story.ts";

interface EndpointFact {
  hostname: string;
  ip: string;
  os: string;
  site: SiteKey;
  risk: number;
  /** When the agent was last seen. */
  minutesAgo: number;
  isIsolated?: boolean;
}

/** The laptop of the intrusion, and the approved action that cut it off. */
export const ISOLATED_ENDPOINT = toStoryId("endpoint", 1);
export const ISOLATION = {
  action_id: toStoryId("edr_action", 3),
  reason: "FIN-LT-014 talks to the controller again.",
} as const;

const AGENT_VERSION = "7.4.1";
const REGISTERED_MINUTES_AGO = 90 * 24 * 60;

// The laptop of the intrusion, the server it reached, and other machines on a working day.
const ENDPOINTS: readonly EndpointFact[] = [
  {
    hostname: "FIN-LT-014",
    ip: "192.0.2.14",
    os: "Windows 11",
    site: "office",
    risk: 97,
    minutesAgo: 1,
    isIsolated: true,
  },
  { hostname: "FILE-SRV-02", ip: "192.0.2.102", os: "Windows Server 2022", site: "office", risk: 91, minutesAgo: 0 },
  { hostname: "BACKUP-01", ip: "192.0.2.110", os: "Windows Server 2022", site: "office", risk: 64, minutesAgo: 1 },
  { hostname: "DC-01", ip: "192.0.2.101", os: "Windows Server 2022", site: "office", risk: 58, minutesAgo: 0 },
  { hostname: "FIN-LT-009", ip: "192.0.2.32", os: "Windows 11", site: "office", risk: 22, minutesAgo: 2 },
  { hostname: "HR-LT-003", ip: "192.0.2.31", os: "Windows 11", site: "office", risk: 18, minutesAgo: 1 },
  { hostname: "IT-LT-004", ip: "192.0.2.40", os: "macOS 15", site: "office", risk: 12, minutesAgo: 3 },
  { hostname: "mx-01", ip: "192.0.2.105", os: "Debian 12", site: "office", risk: 27, minutesAgo: 0 },
  { hostname: "STAFF-PC-11", ip: "192.0.2.171", os: "Windows 11", site: "school", risk: 9, minutesAgo: 640 },
  { hostname: "ENG-WS-01", ip: "192.0.2.210", os: "Windows 11", site: "waterworks", risk: 46, minutesAgo: 1 },
  { hostname: "HMI-01", ip: "192.0.2.200", os: "Windows 10 LTSC", site: "waterworks", risk: 39, minutesAgo: 2 },
];

interface ActionFact extends Pick<EdrActionRecord, "hostname" | "action" | "requested_by" | "reason"> {
  minutesAgo: number;
}

const ACTIONS: readonly ActionFact[] = [
  {
    minutesAgo: 1280,
    hostname: "FIN-LT-014",
    action: "scan",
    requested_by: "yusuf.karim",
    reason: "A process read the memory that holds passwords.",
  },
  {
    minutesAgo: 1080,
    hostname: "FILE-SRV-02",
    action: "scan",
    requested_by: "amina.farouk",
    reason: "svc-backup came here from the laptop.",
  },
  {
    minutesAgo: 260,
    hostname: "FIN-LT-014",
    action: "isolate",
    requested_by: "daniel.okafor",
    reason: ISOLATION.reason,
  },
];

/** The current endpoints and the actions on them. */
export function buildShowcaseEdr(now: Date): { endpoints: EndpointRow[]; actions: EdrActionRecord[]; builtAt: Date } {
  const endpoints = ENDPOINTS.map(({ site, minutesAgo, isIsolated = false, ...fact }, index): EndpointRow => {
    const state = isIsolated ? "isolated" : "normal";
    return {
      ...fact,
      id: toStoryId("endpoint", index + 1),
      site: SITES[site].name,
      agent_version: AGENT_VERSION,
      desired: state,
      reported: state,
      last_seen: minutesBefore(now, minutesAgo),
      registered_at: minutesBefore(now, REGISTERED_MINUTES_AGO + index),
      retired_at: null,
    };
  });
  const idOfHost = new Map(endpoints.map(({ hostname, id }) => [hostname, id]));
  const actions = ACTIONS.map(({ minutesAgo, ...fact }, index): EdrActionRecord => {
    const requested_at = minutesBefore(now, minutesAgo);
    return {
      ...fact,
      id: toStoryId("edr_action", index + 1),
      action_id: toStoryId("edr_action", index + 1),
      endpoint_id: idOfHost.get(fact.hostname) ?? "",
      status: "completed",
      adapter: "http",
      simulated: false,
      case_id: CASE_IDS.movement,
      requested_at,
      settled_at: requested_at,
      error: null,
      release_at: null,
      ended_at: null,
    };
  });
  return { endpoints, actions, builtAt: now };
}
