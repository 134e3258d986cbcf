import { describe, expect, it } from "vitest";
import type { Backlight } from "../src/settings/backlight.ts";

export interface BacklightBench {
  backlight: Backlight;
  /** From 0, which is dark, to 1. */
  shown: () => Promise<number>;
}

/** The contract of every backlight. */
export function describeBacklight(name: string, create: () => Promise<BacklightBench>): void {
  describe(name, () => {
    it.each([
      [0, 0],
      [51, 0.2],
      [200, 0.784],
      [255, 1],
    ])("shows a brightness of %i as %f of its maximum", async (brightness, share) => {
      const { backlight, shown } = await create();
      await backlight.start();
      await backlight.set(brightness);
      expect(Math.abs((await shown()) - share)).toBeLessThan(0.02);
    });

    it("is dark only at 0", async () => {
      const { backlight, shown } = await create();
      await backlight.start();
      await backlight.set(1);
      expect(await shown()).toBeGreaterThan(0);
      await backlight.set(0);
      expect(await shown()).toBe(0);
    });
  });
}
