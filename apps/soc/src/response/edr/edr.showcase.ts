import type { Clock } from "@kit/clock";
import { pageInMemory } from "../../foundation/lists/order.ts";
import type { ActionsStore } from "./actions.store.ts";
import type { EdrActionRecord } from "./edr.schema.ts";
import { isInForce, NEWEST_ACTION_FIRST } from "./edr-action.ts";
import { type EndpointRow, isListed, NEWEST_ENDPOINT_FIRST, toEndpointBody } from "./endpoint.ts";
import type { EndpointsStore } from "./endpoints.store.ts";

export interface ShowcaseEdr {
  endpoints: EndpointRow[];
  actions: EdrActionRecord[];
  /** The time at which the showcase was built. */
  builtAt: Date;
}

/**
 * Stores the endpoints of the showcase. Their `last_seen` moves with the clock, so that their status does not change.
 */
export function createShowcaseEndpointsStore(
  { endpoints, actions, builtAt }: ShowcaseEdr,
  clock: Pick<Clock, "now">,
): EndpointsStore {
  const current = (): EndpointRow[] => {
    const passedMs = Math.max(0, clock.now().getTime() - builtAt.getTime());
    return endpoints.map((row) => ({ ...row, last_seen: new Date(row.last_seen.getTime() + passedMs) }));
  };
  const countBy = (column: "os" | "site") => {
    const counts: Record<string, number> = {};
    for (const row of endpoints) counts[row[column] ?? "unknown"] = (counts[row[column] ?? "unknown"] ?? 0) + 1;
    return counts;
  };

  return {
    list: async (_scope, query, now) =>
      pageInMemory(
        current().filter((row) => isListed(row, query, now)),
        NEWEST_ENDPOINT_FIRST,
        query,
      ),

    find: async (_scope, id) => current().find((row) => row.id === id),

    findVisible: async (_scope, ids) => new Set(endpoints.flatMap(({ id }) => (ids.includes(id) ? id : []))),

    findNamed: async (_scope, name) =>
      current().filter(({ id, hostname }) => id === name || hostname.toLowerCase() === name.toLowerCase()),

    async counts(_scope, now) {
      const online = current().filter((row) => toEndpointBody(row, now).status === "online").length;
      return {
        total: endpoints.length,
        online,
        offline: endpoints.length - online,
        isolated: endpoints.filter(({ reported }) => reported === "isolated").length,
        pending_actions: actions.filter(({ status }) => status === "dispatched").length,
        by_os: countBy("os"),
        by_site: countBy("site"),
      };
    },
  };
}

export function createShowcaseActionsStore({ actions }: ShowcaseEdr): ActionsStore {
  return {
    list: async (_scope, { in_force, ...query }) =>
      pageInMemory(in_force ? actions.filter(isInForce) : actions, NEWEST_ACTION_FIRST, query),

    listByEndpoint: async (_scope, endpoint_id, query) =>
      pageInMemory(actions, NEWEST_ACTION_FIRST, query, (action) => action.endpoint_id === endpoint_id),
  };
}
