import type { Base, Registrations } from "../../foundation/base.ts";
import type { AlertsService } from "../alerts/alerts.service.ts";
import { createEventDelaysStore } from "./event-delays.store.ts";
import { createEventDelaysWorker } from "./event-delays.worker.ts";

export interface EventDelaysNeeds {
  /** Returns the age in seconds of the oldest change that no reader of events has received. */
  readEventDelay: () => Promise<number>;
  alerts: Pick<AlertsService, "create" | "closeByItself">;
}

/** Watches the age of the oldest change that event streams, notifications and automations have not received. */
export function createEventDelays({ db, runtime, clock, log }: Base, { readEventDelay, alerts }: EventDelaysNeeds) {
  const delays = createEventDelaysStore(db);
  const isAllowed = async () => (await runtime.truth()).is_internal_workflows_allowed;
  return {
    services: { readEventDelay },
    registrations: {
      serving: [createEventDelaysWorker({ readEventDelay, delays, alerts, isAllowed, clock, log })],
    } satisfies Registrations,
  };
}
