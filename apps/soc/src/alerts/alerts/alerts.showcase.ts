import { pageInMemory } from "../../foundation/lists/order.ts";
import { type Alert, toOrder } from "./alert.ts";
import { isListed, listEntityKeys, toHostKeys } from "./alert-filters.ts";
import { type AlertsStore, DAY_MS, MAX_NAMING, MAX_RELATED } from "./alerts.store.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    alerts: Alert[];
  }
}

/** Reads the alerts of the showcase. */
export function createShowcaseAlertsStore(alerts: readonly Alert[]): AlertsStore {
  return {
    list: async (_scope, query) => pageInMemory(alerts, toOrder(query.sort), query, (alert) => isListed(alert, query)),

    find: async (_scope, alert_id) => alerts.find(({ id }) => id === alert_id),

    filter: async (_scope, alert_ids) => alerts.map(({ id }) => id).filter((id) => alert_ids.includes(id)),

    async findRelated(_scope, alert) {
      const { id, iocs, last_seen } = alert;
      const { hosts, users } = listEntityKeys(alert);
      const nearby = alerts
        .filter((other) => other.id !== id && Math.abs(other.last_seen.getTime() - last_seen.getTime()) <= DAY_MS)
        .toSorted((a, b) => b.last_seen.getTime() - a.last_seen.getTime());
      const related = (isRelated: (other: Alert) => boolean) => nearby.filter(isRelated).slice(0, MAX_RELATED);
      return {
        same_host: related((other) => listEntityKeys(other).hosts.some((key) => hosts.includes(key))),
        same_user: related((other) => listEntityKeys(other).users.some((key) => users.includes(key))),
        same_ioc: related((other) => other.iocs.some((ioc) => iocs.includes(ioc))),
      };
    },

    async findNaming(_scope, host, log_ids) {
      const [key = ""] = toHostKeys([host]);
      return alerts
        .filter(
          (alert) => listEntityKeys(alert).hosts.includes(key) && alert.log_ids.some((id) => log_ids.includes(id)),
        )
        .toSorted((a, b) => b.last_seen.getTime() - a.last_seen.getTime())
        .slice(0, MAX_NAMING);
    },
  };
}
