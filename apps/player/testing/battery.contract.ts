import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BatteryGauge } from "../src/power/battery-gauge.ts";

export interface BatteryBench {
  gauge: BatteryGauge;
  /** Undefined removes the battery. */
  become(battery: { percentage: number; state: "charging" | "discharging" | "full" } | undefined): Promise<void>;
  remove: () => Promise<void>;
}

/** The contract of every gauge; the bench's battery has between 3 and 4.5 volts. */
export function describeBatteryGauge(name: string, create: () => Promise<BatteryBench>): void {
  describe(name, () => {
    let bench: BatteryBench;

    beforeAll(async () => {
      bench = await create();
    }, 60_000);

    afterAll(() => bench.remove());

    it("reads zeros without a battery", async () => {
      await bench.become(undefined);
      expect(await bench.gauge.read()).toEqual({ present: false, voltage: 0, percentage: 0, charging: false });
    });

    it.each([
      { percentage: 57, state: "discharging", charging: false },
      { percentage: 0, state: "discharging", charging: false },
      { percentage: 80, state: "charging", charging: true },
      { percentage: 100, state: "full", charging: true },
    ] as const)("reads $percentage % while $state", async ({ percentage, state, charging }) => {
      await bench.become({ percentage, state });
      const { voltage, ...read } = await bench.gauge.read();
      expect(read).toEqual({ present: true, percentage, charging });
      expect(voltage).toBeGreaterThan(3);
      expect(voltage).toBeLessThan(4.5);
    });
  });
}
