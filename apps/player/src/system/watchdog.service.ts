import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import type { ServiceNotifier } from "./service-notifier.ts";

export interface WatchdogServiceDeps {
  /** Undefined when no service manager runs this service. */
  notifier: ServiceNotifier | undefined;
  /** The watchdog timeout; undefined without a watchdog. */
  watchdogMs: number | undefined;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

/** Reports to the service manager that this service is ready and alive, so that a hung service is restarted. */
export function createWatchdogService({ notifier, watchdogMs, clock, log }: WatchdogServiceDeps) {
  const heartbeat = createTimer(clock);

  function beat(everyMs: number): void {
    heartbeat.set(everyMs, () => {
      notifier?.alive().catch((error: unknown) => log.warn({ err: error }, "notifying the service manager failed"));
      beat(everyMs);
    });
  }

  return {
    async start(): Promise<void> {
      // At half of the timeout, as sd_watchdog_enabled(3) recommends.
      if (watchdogMs !== undefined) beat(watchdogMs / 2);
      await notifier?.ready();
    },

    async close(): Promise<void> {
      heartbeat.cancel();
      await notifier?.stopping();
    },
  };
}
