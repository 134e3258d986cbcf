import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";

/** Beyond this a host writes nothing: its records and logs would appear in the past or in the future of the others. */
export const MAX_CLOCK_OFFSET_MS = 500;

/** How far the clock of this host is from the clock of the database. */
export interface ClockOffset {
  /** Compares the time of the database with the times of this host just before and after it was read. */
  measure(sentAt: Date, databaseTime: Date): void;
  /** Positive when this host is ahead; undefined before the first measurement. */
  readMs(): number | undefined;
}

/**
 * Measured with every answer of the database. In between, a clock that is set is noticed at once, because monotonic time
 * goes on as before.
 */
export function createClockOffset(
  clock: Pick<Clock, "now" | "monotonicMs">,
  log: Pick<Log, "info" | "warn">,
): ClockOffset {
  let measured: { offsetMs: number; wallMs: number; monotonicMs: number } | undefined;
  let wasRight = true;
  return {
    measure(sentAt, databaseTime) {
      const receivedMs = clock.now().getTime();
      const databaseMs = databaseTime.getTime();
      // The database read its clock between the two: only what is outside of them is an offset.
      const offsetMs = Math.min(0, receivedMs - databaseMs) || Math.max(0, sentAt.getTime() - databaseMs);
      measured = { offsetMs, wallMs: receivedMs, monotonicMs: clock.monotonicMs() };
      const isRight = Math.abs(offsetMs) <= MAX_CLOCK_OFFSET_MS;
      if (!isRight && wasRight)
        log.warn({ offset_ms: offsetMs }, "clock differs from the database's, writes are refused");
      if (isRight && !wasRight) log.info({}, "clock agrees with the database's again");
      wasRight = isRight;
    },

    readMs() {
      if (!measured) return undefined;
      const setMs = clock.now().getTime() - measured.wallMs - (clock.monotonicMs() - measured.monotonicMs);
      return Math.round(measured.offsetMs + setMs);
    },
  };
}
