import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PowerManager } from "../src/power/power-manager.ts";

export interface PowerBench {
  manager: PowerManager;
  /** The effect of the button. */
  wake(): Promise<void>;
  remove: () => Promise<void>;
}

const clock = createClock();

/** The contract of every power manager. */
export function describePowerManager(name: string, create: () => Promise<PowerBench>): void {
  describe(name, () => {
    let bench: PowerBench;

    beforeAll(async () => {
      bench = await create();
      await bench.manager.start();
    }, 60_000);

    afterAll(() => bench.remove());

    it("sleeps until it is woken, repeatedly", async () => {
      for (let night = 0; night < 3; night += 1) {
        let isAwake = false;
        const slept = bench.manager.suspend().then(() => {
          isAwake = true;
        });
        await clock.sleep(150);
        expect(isAwake).toBe(false);
        await bench.wake();
        await slept;
      }
    });
  });
}
