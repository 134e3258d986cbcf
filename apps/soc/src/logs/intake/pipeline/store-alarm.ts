import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { NewAlert } from "../../../alerts/module.ts";

export interface StoreAlarmDeps {
  raise: (alert: NewAlert) => Promise<unknown>;
  clock: Pick<Clock, "now" | "monotonicMs">;
  log: Pick<Log, "warn" | "error">;
}
export type StoreAlarm = ReturnType<typeof createStoreAlarm>;

/** The log engine restarts and a cluster elects a leader within this time. */
const PATIENCE_MS = 30_000;
/** Failures further apart than this are separate outages. */
const APART_MS = 120_000;

interface Outage {
  since: Date;
  sinceMs: number;
  lastMs: number;
  isReported: boolean;
}

/** Raises one alert for each outage in which logs cannot be stored. */
export function createStoreAlarm({ raise, clock, log }: StoreAlarmDeps) {
  let outage: Outage | undefined;

  async function report(known: Outage, error: Error): Promise<void> {
    known.isReported = true;
    const since = known.since.toISOString();
    log.error({ err: error, since }, "logs cannot be stored");
    const words = error instanceof Problem ? error.message : "internal error";
    try {
      await raise({
        title: "Logs cannot be stored",
        description: `No log was stored since ${since}: ${words}. Senders retry and the stream keeps logs while it has room. Check the log store: its address, password, quota, disk and tables.`,
        source: "intake",
        severity: "critical",
      });
    } catch (cause) {
      known.isReported = false;
      log.warn({ err: cause }, "raising an alert about the log store failed");
    }
  }

  return {
    /** Reports that a group could not be stored for a reason other than its rows. */
    async failed(error: Error): Promise<void> {
      const nowMs = clock.monotonicMs();
      if (!outage || nowMs - outage.lastMs > APART_MS) {
        outage = { since: clock.now(), sinceMs: nowMs, lastMs: nowMs, isReported: false };
      }
      outage.lastMs = nowMs;
      if (!outage.isReported && nowMs - outage.sinceMs >= PATIENCE_MS) await report(outage, error);
    },

    /** Reports that a group was stored. */
    passed(): void {
      outage = undefined;
    },
  };
}
