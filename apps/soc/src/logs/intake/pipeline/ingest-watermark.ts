import type { Clock } from "@kit/clock";

/** Assigns ingest times, and computes the time below which no further log will be stored. */
export type IngestWatermark = ReturnType<typeof createIngestWatermark>;

export function createIngestWatermark(clock: Pick<Clock, "now" | "monotonicMs">) {
  let floorMs = 0;
  const running = new Set<number>();
  let held: { stampMs: number; untilMs: number }[] = [];
  return {
    /**
     * The ingest time of an insert that starts now: later than all earlier ones, and not below the published watermark.
     */
    begin(): Date {
      const stampMs = Math.max(clock.now().getTime(), floorMs);
      running.add(stampMs);
      floorMs = stampMs + 1;
      return new Date(stampMs);
    },
    /** The insert with that time is complete. */
    end(stamp: Date): void {
      running.delete(stamp.getTime());
    },
    /** The insert with this time failed, but may still take effect for `uncertainMs`. */
    fail(stamp: Date, uncertainMs: number): void {
      running.delete(stamp.getTime());
      held.push({ stampMs: stamp.getTime(), untilMs: clock.monotonicMs() + uncertainMs });
    },
    /** From now on no log will be stored with an earlier time. */
    watermark(): Date {
      held = held.filter(({ untilMs }) => untilMs > clock.monotonicMs());
      const uncertain = [...held.map(({ stampMs }) => stampMs), ...running];
      if (uncertain.length > 0) return new Date(Math.min(...uncertain));
      floorMs = Math.max(floorMs, clock.now().getTime());
      return new Date(floorMs);
    },
    /** Never assigns a time below this, because windows may be complete up to it. */
    raise(watermark: Date): void {
      floorMs = Math.max(floorMs, watermark.getTime());
    },
  };
}
