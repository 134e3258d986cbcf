import type { EdrActionRecord } from "../response/edr/edr.schema.ts";
import type { EndpointRow } from "../response/edr/endpoint.ts";
import { SEED } from "./seed.ts";
import { CASE_IDS, minutesBefore, SITES, toStoryId } from "./story.ts";

/** The laptop of the intrusion, isolated by an approved action. */
export const ISOLATED_ENDPOINT = toStoryId("endpoint", 1);
export const ISOLATION = {
  action_id: toStoryId("edr_action", 3),
  reason: "FIN-LT-014 contacts the C2 server again.",
} as const;

const AGENT_VERSION = "7.4.1";
const REGISTERED_MINUTES_AGO = 90 * 24 * 60;

/** Builds the current endpoints and their actions. */
export function buildShowcaseEdr(now: Date): { endpoints: EndpointRow[]; actions: EdrActionRecord[]; builtAt: Date } {
  const endpoints = SEED.endpoints.map(({ site, minutesAgo, isIsolated = false, ...fact }, index): EndpointRow => {
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
  const actions = SEED.edr_actions.map(({ minutesAgo, ...fact }, index): EdrActionRecord => {
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
