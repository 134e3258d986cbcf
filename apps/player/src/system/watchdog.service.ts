import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { createTimer } from "../playback/timer.ts";
import type { ServiceNotifier } from "./service-notifier.ts";

export interface WatchdogServiceDeps {
  /** Undefined when no service manager runs this service. */
  notifier: ServiceNotifier | undefined;
  /** After how long a silent service is taken for dead; undefined when it may be silent. */
  watchdogMs: number | undefined;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

/** Tells the service manager that this service is ready and alive, so that a hung one is started again. */
export function createWatchdogService({ notifier, watchdogMs, clock, log }: WatchdogServiceDeps) {
  const heartbeat = createTimer(clock);

  function beat(everyMs: number): void {
    heartbeat.set(everyMs, () => {
      notifier?.alive().catch((error: unknown) => log.warn({ err: error }, "the service manager was not told"));
      beat(everyMs);
    });
  }

  return {
    async start(): Promise<void> {
      // Twice as often as it is asked for: sd_watchdog_enabled(3).
      if (watchdogMs !== undefined) beat(watchdogMs / 2);
      await notifier?.ready();
    },

    async close(): Promise<void> {
      heartbeat.cancel();
      await notifier?.stopping();
    },
  };
}
