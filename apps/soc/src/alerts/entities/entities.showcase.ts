import type { Alert } from "../alerts/alert.ts";
import type { EntitiesStore, Span } from "./entities.store.ts";
import { formatEntity, listEntities } from "./entity.ts";
import { countDays } from "./risk.ts";

/** Computes the same over the alerts of the showcase. */
export function createShowcaseEntities(alerts: readonly Alert[]): EntitiesStore {
  const within = ({ from, to }: Span) =>
    alerts
      .filter(({ first_seen, last_seen }) => last_seen >= from && first_seen < to)
      .toSorted((a, b) => b.last_seen.getTime() - a.last_seen.getTime());

  return {
    async find(_scope, entity, span, limit) {
      const name = formatEntity(entity);
      const found = within(span).filter((alert) => listEntities(alert).some((each) => formatEntity(each) === name));
      return { alerts: found.slice(0, limit), total: found.length, is_partial: found.length > limit };
    },

    async count(_scope, type, span) {
      const facts = within(span).flatMap((alert) =>
        listEntities(alert)
          .filter((entity) => entity.type === type)
          .map(({ value }) => {
            const { severity, status, verdict, last_seen } = alert;
            return { value, severity, status, verdict, last_seen, days: countDays(last_seen, span.to), count: 1 };
          }),
      );
      return { facts, is_partial: false };
    },
  };
}
