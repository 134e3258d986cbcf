import type { Clock } from "@kit/clock";

/** Assigns ingest times, and computes the time below which no further log will be stored. */
export interface IngestWatermark {
  /**
   * The ingest time of an insert that starts now: later than all earlier ones, and not below the published watermark.
   */
  begin(): Date;
  /** The insert with that time is complete. */
  end(stamp: Date): void;
  /** The insert with that time failed, but may still take effect for `uncertainMs`. */
  fail(stamp: Date, uncertainMs: number): void;
  /** From now on no log will be stored with an earlier time. */
  watermark(): Date;
  /** Never assigns a time below this: windows may be complete up to it. */
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
    watermark() {
      held = held.filter(({ untilMs }) => untilMs > clock.monotonicMs());
      const uncertain = [...held.map(({ stampMs }) => stampMs), ...running];
      if (uncertain.length > 0) return new Date(Math.min(...uncertain));
      floorMs = Math.max(floorMs, clock.now().getTime());
      return new Date(floorMs);
    },
    raise(watermark) {
      floorMs = Math.max(floorMs, watermark.getTime());
    },
  };
}
