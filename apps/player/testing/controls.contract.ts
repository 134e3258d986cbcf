import { createClock } from "@kit/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ControlInput, ControlKey } from "../src/controls/control-input.ts";

/** A device with a key for every purpose and a knob, and functions that operate them. */
export interface ControlBench {
  input: Pick<ControlInput, "start" | "keys" | "close">;
  change(key: ControlKey, change: "down" | "repeat" | "up"): Promise<void>;
  turn(steps: number): Promise<void>;
  /** Removes the keys, also while one is held. */
  unplug(): Promise<void>;
  clear(): Promise<void>;
}

const clock = createClock();
const KEYS: readonly ControlKey[] = ["main", "setup", "volume_up", "volume_down", "next", "previous"];
/** Longer than any input needs to report a change. */
const QUIET_MS = 300;

/** The contract of all keys and knobs. */
export function describeControls(name: string, createBench: () => Promise<ControlBench>): void {
  describe(name, () => {
    let bench: ControlBench;
    let seen: unknown[];

    beforeEach(async () => {
      seen = [];
      bench = await createBench();
      await bench.input.start({
        key: (key, change) => seen.push([key, change]),
        turn: (steps) => seen.push(steps),
      });
    });

    afterEach(async () => {
      await bench.input.close();
      await bench.clear();
    });

    async function until(count: number): Promise<unknown[]> {
      const deadline = clock.deadline(10_000);
      while (seen.length < count && !deadline.aborted) await clock.sleep(5);
      return seen;
    }

    it("reports every key when it is pressed and released, once and in order", async () => {
      for (const key of KEYS) {
        await bench.change(key, "down");
        await bench.change(key, "up");
      }
      await until(2 * KEYS.length);
      await clock.sleep(QUIET_MS);
      expect(seen).toEqual(
        KEYS.flatMap((key) => [
          [key, "down"],
          [key, "up"],
        ]),
      );
    });

    it("reports the repetitions of a held key", async () => {
      await bench.change("volume_up", "down");
      await bench.change("volume_up", "repeat");
      await bench.change("volume_up", "repeat");
      await bench.change("volume_up", "up");
      expect(await until(4)).toEqual([
        ["volume_up", "down"],
        ["volume_up", "repeat"],
        ["volume_up", "repeat"],
        ["volume_up", "up"],
      ]);
    });

    it("reports the steps of the knob in both directions", async () => {
      await bench.turn(3);
      await until(1);
      await bench.turn(-2);
      await until(2);
      await clock.sleep(QUIET_MS);
      expect(seen).toEqual([3, -2]);
    });

    it("lists the keys that are fitted", () => {
      expect([...bench.input.keys()].toSorted()).toEqual(KEYS.toSorted());
    });

    it("reports a key that is removed while it is held as lost, not as released", async () => {
      await bench.change("main", "down");
      await until(1);
      await bench.unplug();
      await until(2);
      await clock.sleep(QUIET_MS);
      expect(seen).toEqual([
        ["main", "down"],
        ["main", "lost"],
      ]);
    });

    it("reports nothing after it was closed", async () => {
      await bench.input.close();
      await bench.change("main", "down").catch(() => undefined);
      await clock.sleep(QUIET_MS);
      expect(seen).toEqual([]);
    });
  });
}
