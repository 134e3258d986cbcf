import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClockChip } from "../src/time/clock-chip.ts";

export interface ChipBench {
  chip: ClockChip;
  /** The alarm that is set in the chip itself. */
  alarm(): Promise<number | null>;
  remove(): Promise<void>;
}

/** The contract of every clock chip. */
export function describeClockChip(name: string, prepare: () => Promise<ChipBench>): void {
  describe(name, () => {
    let bench: ChipBench;

    beforeEach(async () => {
      bench = await prepare();
    });

    afterEach(() => bench.remove());

    it.each([1_704_067_200, 1_794_700_800, 4_102_444_799])("shows the time %i that was written", async (epochS) => {
      await bench.chip.write(epochS);
      const reading = await bench.chip.read();
      expect(reading?.epochS).toBeGreaterThanOrEqual(epochS);
      expect(reading?.epochS).toBeLessThanOrEqual(epochS + 2);
    });

    it("returns its temperature in degrees", async () => {
      const reading = await bench.chip.read();
      expect(reading?.temperature).toBeGreaterThan(-40);
      expect(reading?.temperature).toBeLessThan(85);
    });

    it("keeps one alarm: the newest, or none", async () => {
      await bench.chip.setAlarm(1_900_000_000);
      expect(await bench.alarm()).toBe(1_900_000_000);
      await bench.chip.setAlarm(1_800_000_000);
      expect(await bench.alarm()).toBe(1_800_000_000);
      await bench.chip.setAlarm(null);
      expect(await bench.alarm()).toBeNull();
      await bench.chip.setAlarm(null);
      expect(await bench.alarm()).toBeNull();
    });
  });
}
