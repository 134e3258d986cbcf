import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";

/**
 * Beyond this offset a host refuses to write: its records and logs would appear in the past or future of other hosts.
 */
export const MAX_CLOCK_OFFSET_MS = 500;

/** Measured with every response of the database. In between, monotonic time reveals a changed wall clock at once. */
export function createClockOffset(clock: Pick<Clock, "now" | "monotonicMs">, log: Pick<Log, "info" | "warn">) {
  let measured: { offsetMs: number; wallMs: number; monotonicMs: number } | undefined;
  let wasRight = true;
  return {
    /** Compares the time of the database with the times of this host just before and after the read. */
    measure(sentAt: Date, databaseTime: Date): void {
      const receivedMs = clock.now().getTime();
      const databaseMs = databaseTime.getTime();
      // The database read its clock between these two times. Only the part outside this interval is an offset.
      const offsetMs = Math.min(0, receivedMs - databaseMs) || Math.max(0, sentAt.getTime() - databaseMs);
      measured = { offsetMs, wallMs: receivedMs, monotonicMs: clock.monotonicMs() };
      const isRight = Math.abs(offsetMs) <= MAX_CLOCK_OFFSET_MS;
      if (!isRight && wasRight)
        log.warn({ offset_ms: offsetMs }, "clock differs from the database clock; refusing writes");
      if (isRight && !wasRight) log.info({}, "clock agrees with the database clock again");
      wasRight = isRight;
    },

    /** Positive if this host is ahead; undefined before the first measurement. */
    readMs(): number | undefined {
      if (!measured) return undefined;
      const setMs = clock.now().getTime() - measured.wallMs - (clock.monotonicMs() - measured.monotonicMs);
      return Math.round(measured.offsetMs + setMs);
    },
  };
}
