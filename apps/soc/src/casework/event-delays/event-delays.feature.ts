import type { Base } from "../../foundation/base.ts";
import { createEventHorizonStore } from "../../foundation/events/event-horizon.store.ts";
import type { AlertsService } from "../alerts/alerts.service.ts";
import { createEventDelaysStore } from "./event-delays.store.ts";
import { createEventDelaysWorker } from "./event-delays.worker.ts";

export interface EventDelaysNeeds {
  alerts: Pick<AlertsService, "create" | "closeByItself">;
}

/** Watches how old the oldest change is of which event streams, notifications and automations do not know yet. */
export function createEventDelays({ db, runtime, clock, log }: Base, { alerts }: EventDelaysNeeds) {
  const horizon = createEventHorizonStore(db);
  const delays = createEventDelaysStore(db);
  const isAllowed = async () => (await runtime.truth()).is_internal_workflows_allowed;
  return {
    readEventDelay: () => horizon.readAge(),
    serving: [createEventDelaysWorker({ horizon, delays, alerts, isAllowed, clock, log })],
  };
}
