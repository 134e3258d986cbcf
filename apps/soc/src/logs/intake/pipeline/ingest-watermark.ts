import type { Clock } from "@kit/clock";

/** The times at which logs are stamped, and the time below which none will be stamped any more. */
export interface IngestWatermark {
  /** The time of an insert that begins now: later than every one before, and not below what was told as the watermark. */
  begin(): Date;
  /** The insert with that time is done. */
  end(stamp: Date): void;
  /** The insert with that time failed, and may still happen for so long. */
  fail(stamp: Date, uncertainMs: number): void;
  /** An insert of the writer before this one, with that time, may still happen for so long. */
  doubt(stamp: Date, uncertainMs: number): void;
  /** No log will be stored from now on with an earlier time. */
  watermark(): Date;
  /** Never stamps below this: a writer before this one has told it. */
  raise(watermark: Date): void;
}

export function createIngestWatermark(clock: Pick<Clock, "now" | "monotonicMs">): IngestWatermark {
  let floorMs = 0;
  const running = new Set<number>();
  let held: { stampMs: number; untilMs: number }[] = [];
  return {
    begin() {
      const stampMs = Math.max(clock.now().getTime(), floorMs);
      running.add(stampMs);
      floorMs = stampMs + 1;
      return new Date(stampMs);
    },
    end(stamp) {
      running.delete(stamp.getTime());
    },
    fail(stamp, uncertainMs) {
      running.delete(stamp.getTime());
      held.push({ stampMs: stamp.getTime(), untilMs: clock.monotonicMs() + uncertainMs });
    },
    doubt(stamp, uncertainMs) {
      held.push({ stampMs: stamp.getTime(), untilMs: clock.monotonicMs() + uncertainMs });
    },
    watermark() {
      held = held.filter(({ untilMs }) => untilMs > clock.monotonicMs());
      const unclear = [...held.map(({ stampMs }) => stampMs), ...running];
      if (unclear.length > 0) return new Date(Math.min(...unclear));
      floorMs = Math.max(floorMs, clock.now().getTime());
      return new Date(floorMs);
    },
    raise(watermark) {
      floorMs = Math.max(floorMs, watermark.getTime());
    },
  };
}
