import type { Log } from "@kit/log";
import type { Consumption, EventStream } from "../events/event-stream.ts";
import type { AutomationFirings } from "./automation-firings.service.ts";

export interface AutomationsWorkerDeps {
  /** The outbox. One process at a time is handed its events, none while the mode allows no internal work. */
  outbox: Pick<EventStream, "consume">;
  firings: Pick<AutomationFirings, "consider">;
  log: Pick<Log, "error">;
}

const MOST_EVENTS = 100;
/** Then a bug is more likely than bad luck, and the alerts behind it have waited long enough. */
const MOST_ATTEMPTS = 10;

/** Holds every new alert against the automations. */
export function consumeAlerts({ outbox, firings, log }: AutomationsWorkerDeps): Consumption {
  return outbox.consume({
    name: "automations",
    from: "next",
    most: MOST_EVENTS,
    async handle({ events, attempt }) {
      for (const { type, subject_id } of events) {
        if (type !== "alert.created") continue;
        await firings.consider(subject_id).catch((error: unknown) => {
          if (attempt < MOST_ATTEMPTS) throw error;
          log.error({ err: error, alert_id: subject_id }, "automations could not look at an alert");
        });
      }
    },
  });
}
