import type { SlaSettings } from "./case-sla.schema.ts";
import type { CaseSlaStore } from "./case-sla.store.ts";

const HOUR = 60;
const DAY = 24 * HOUR;

/** The SLA targets of the showcase. */
const SHOWN: SlaSettings = {
  info: { respond_minutes: null, resolve_minutes: null },
  low: { respond_minutes: DAY, resolve_minutes: 14 * DAY },
  medium: { respond_minutes: 8 * HOUR, resolve_minutes: 7 * DAY },
  high: { respond_minutes: HOUR, resolve_minutes: 3 * DAY },
  critical: { respond_minutes: 15, resolve_minutes: DAY },
};

export function createShowcaseCaseSla(): Pick<CaseSlaStore, "read"> {
  return { read: async () => SHOWN };
}
