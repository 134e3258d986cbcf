import { Problem } from "@kit/problem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SystemClock } from "../src/time/system-clock.ts";

export interface SystemClockBench {
  /** A time server has set it. */
  system: SystemClock;
  /** Epoch seconds that the system was set to. */
  shown(): Promise<number>;
  remove(): Promise<void>;
}

/** The contract of every system clock. */
export function describeSystemClock(name: string, prepare: () => Promise<SystemClockBench>): void {
  describe(name, () => {
    let bench: SystemClockBench;

    beforeEach(async () => {
      bench = await prepare();
    });

    afterEach(() => bench.remove());

    it("is synchronised by a time server", async () => {
      expect(await bench.system.isSynchronised()).toBe(true);
    });

    it("cannot be set while time servers set it", async () => {
      const refused = bench.system.set(1_800_000_000);
      await expect(refused).rejects.toBeInstanceOf(Problem);
      await expect(refused).rejects.toMatchObject({
        kind: "failed",
        message: expect.stringMatching(/^system clock: /),
      });
    });

    it("can be set once they are disabled, and is then not synchronised until they are enabled again", async () => {
      await bench.system.allowServers(false);
      await bench.system.set(1_800_000_000);
      expect(await bench.shown()).toBe(1_800_000_000);
      expect(await bench.system.isSynchronised()).toBe(false);
      await bench.system.allowServers(true);
      expect(await bench.system.isSynchronised()).toBe(true);
    });
  });
}
