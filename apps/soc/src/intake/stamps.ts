import type { Clock } from "@kit/clock";

/** The times at which logs are stamped, and the time below which none will be stamped any more. */
export interface Stamps {
  /** The time of an insert that begins now: later than every one before, and not below what was told as the watermark. */
  begin(): Date;
  /** The insert is done. */
  end(): void;
  /** The insert failed, and may still happen for so long. */
  fail(unsettledMs: number): void;
  /** An insert of the writer before this one, with that time, may still happen for so long. */
  doubt(stamp: Date, unsettledMs: number): void;
  /** No log will be stored from now on with an earlier time. */
  watermark(): Date;
  /** Never stamps below this: a writer before this one has told it. */
  raise(watermark: Date): void;
}

export function createStamps(clock: Pick<Clock, "now" | "monotonicMs">): Stamps {
  let floorMs = 0;
  let runningMs: number | undefined;
  let held: { stampMs: number; untilMs: number }[] = [];
  return {
    begin() {
      runningMs = Math.max(clock.now().getTime(), floorMs);
      floorMs = runningMs + 1;
      return new Date(runningMs);
    },
    end() {
      runningMs = undefined;
    },
    fail(unsettledMs) {
      if (runningMs !== undefined) held.push({ stampMs: runningMs, untilMs: clock.monotonicMs() + unsettledMs });
      runningMs = undefined;
    },
    doubt(stamp, unsettledMs) {
      held.push({ stampMs: stamp.getTime(), untilMs: clock.monotonicMs() + unsettledMs });
    },
    watermark() {
      held = held.filter(({ untilMs }) => untilMs > clock.monotonicMs());
      const unclear = [...held.map(({ stampMs }) => stampMs), ...(runningMs === undefined ? [] : [runningMs])];
      if (unclear.length > 0) return new Date(Math.min(...unclear));
      floorMs = Math.max(floorMs, clock.now().getTime());
      return new Date(floorMs);
    },
    raise(watermark) {
      floorMs = Math.max(floorMs, watermark.getTime());
    },
  };
}
