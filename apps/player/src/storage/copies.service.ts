import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import type { Database } from "./database.ts";

export interface CopiesServiceDeps {
  database: Pick<Database, "writeCopy" | "forgetFormerVersion">;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

/** A new version that has run for this long has proved itself: a rolled-back one would be back by now. */
const PROVEN_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

/** Copies the database once a day and at every orderly stop; a broken file is restored from the copy. */
export function createCopiesService({ database, clock, log }: CopiesServiceDeps) {
  const timer = createTimer(clock);

  function attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      log.warn({ err: error }, "copying the database failed");
    }
  }

  function copy(): void {
    timer.set(DAY_MS, copy);
    attempt(() => database.forgetFormerVersion());
    attempt(() => database.writeCopy());
  }

  return {
    start(): void {
      timer.set(PROVEN_MS, copy);
    },

    close(): void {
      timer.cancel();
      attempt(() => database.writeCopy());
    },
  };
}
