import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Caller } from "../../foundation/caller/caller.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { NewAlert } from "../alerts/alert.ts";
import type { AlertsService } from "../alerts/alerts.service.ts";
import type { EventDelaysStore } from "./event-delays.store.ts";

export interface EventDelaysWorkerDeps {
  readEventDelay: () => Promise<number>;
  delays: EventDelaysStore;
  alerts: Pick<AlertsService, "create" | "closeByItself">;
  isAllowed: () => Promise<boolean>;
  clock: Pick<Clock, "now" | "sleep">;
  log: Pick<Log, "warn">;
}

const CHECK_MS = 5000;
/** Events count as delayed if the oldest unread change is older than this. */
const MAX_EVENT_DELAY_SECONDS = 60;
/** The caller under which the platform raises the alert. */
const EVENTS: Caller = { kind: "api_key", username: "events", role: "agent" };
/** The resolution of an alert that the platform closes. */
const ARRIVES_AGAIN = "Events are delivered in time again.";

/** Raises an alert when events of changes do not reach their readers, and closes it when they do. */
export function createEventDelaysWorker(deps: EventDelaysWorkerDeps) {
  const { readEventDelay, delays, alerts, isAllowed, clock, log } = deps;

  async function check(): Promise<void> {
    if (!(await isAllowed())) return;
    const age_s = await readEventDelay();
    await delays.mark(age_s > MAX_EVENT_DELAY_SECONDS, {
      async raise(tx) {
        const since = new Date(clock.now().getTime() - age_s * 1000);
        log.warn({ since }, "events are delayed");
        return (await alerts.create(tx, EVENTS, buildReport(since))).alert.id;
      },
      close: (tx, alert_id) => alerts.closeByItself(tx, EVENTS, alert_id, ARRIVES_AGAIN),
    });
  }

  return createPollingLoop({ round: check, waitMs: CHECK_MS, failure: "event delay check failed", clock, log });
}

/** The title is constant, so that a repeat counts in the open alert. */
function buildReport(since: Date): NewAlert {
  return {
    title: "Events are delayed",
    description: `A change that began at ${since.toISOString()} has not reached event streams, notifications and automations. Its transaction is still open, or its event could not be numbered. Look for old transactions in pg_stat_activity of the database.`,
    source: "platform",
    severity: "high",
  };
}
