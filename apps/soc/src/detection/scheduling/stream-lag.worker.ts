import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { AlertsService, NewAlert } from "../../alerts/module.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import { DETECTIONS } from "../matches/match.ts";
import type { StreamStore } from "./stream.store.ts";

export interface StreamLagDeps {
  stream: Pick<StreamStore, "markBehind">;
  alerts: Pick<AlertsService, "create">;
  isAllowed: () => Promise<boolean>;
  clock: Pick<Clock, "now" | "sleep">;
  log: Pick<Log, "warn">;
}

const CHECK_MS = 5000;
const MAX_LAG_SECONDS = 60;

/**
 * Raises an alert if new logs are not evaluated. It runs in processes that serve requests, because a missing worker
 * cannot report itself.
 */
export function createStreamLagWorker({ stream, alerts, isAllowed, clock, log }: StreamLagDeps) {
  const watchingSince = clock.now();

  async function check(): Promise<void> {
    if (!(await isAllowed())) return;
    const position = await stream.markBehind(MAX_LAG_SECONDS, watchingSince, async (tx, behindSince) => {
      await alerts.create(tx, DETECTIONS, buildReport(behindSince));
    });
    if (position) log.warn({ position }, "stream detection is behind");
  }

  return createPollingLoop({ round: check, waitMs: CHECK_MS, failure: "stream lag not checked", clock, log });
}

/** A constant title: while the alert is open, the next occurrence is counted in it. */
function buildReport(behindSince: Date): NewAlert {
  return {
    title: "Stream detection is behind",
    description: `Logs that came in after ${behindSince.toISOString()} have not been evaluated by rules and indicators yet. Check the worker and the log engine in GET /api/v1/system/health.`,
    source: "detection",
    severity: "high",
  };
}
