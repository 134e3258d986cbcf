import type { Base } from "../../foundation/base.ts";
import type { Registrations } from "../../foundation/registrations.ts";
import type { AlertsService } from "../alerts/alerts.service.ts";
import { createEventDelaysStore } from "./event-delays.store.ts";
import { createEventDelaysWorker } from "./event-delays.worker.ts";

export interface EventDelaysNeeds {
  /** How many seconds ago the oldest change began of which no reader of events knows yet. */
  readEventDelay: () => Promise<number>;
  alerts: Pick<AlertsService, "create" | "closeByItself">;
}

/** Watches how old the oldest change is of which event streams, notifications and automations do not know yet. */
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
