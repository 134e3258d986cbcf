import { createFakeClock } from "@kit/clock/fake";
import { expect, it } from "vitest";
import { createDiskWatch } from "./disk-watch.ts";

const MIB = 1024 ** 2;
const MINUTE_MS = 60_000;

/** Polls every minute with the given free mebibytes; returns the minutes at which the engine must be replaced. */
async function findReplacements(free: readonly (number | undefined)[]): Promise<number[]> {
  const clock = createFakeClock();
  let freeMib: number | undefined;
  const watch = createDiskWatch({ readFreeBytes: async () => freeMib && freeMib * MIB, clock });
  const found: number[] = [];
  for (const [minute, each] of free.entries()) {
    freeMib = each;
    if (await watch.mustReplace()) found.push(minute);
    await clock.advance(MINUTE_MS);
  }
  return found;
}

it.each([
  ["a disk with room", [500, 100, 64], []],
  ["one that is nearly full: the engine itself begins nothing there", [63, 17, 63, 64], []],
  ["one that was full, as soon as there is room", [500, 1, 10, 200, 200], [3]],
  ["one that was full twice", [1, 64, 1, 64], [1, 3]],
  ["one that stays full, once, before merged parts are deleted", [0.1, 1, 1, 1, 1, 1, 1, 200, 200], [4]],
  ["one that fills again after that", [1, 1, 1, 1, 1, 200, 1, 200], [4, 7]],
  ["one that waits between full and room", [1, 40, 40, 40, 40, 40], [4]],
  ["one that cannot be read for a while", [1, undefined, undefined, 200], [3]],
])("replaces the engine on %s", async (_disk, free, replaced) => {
  expect(await findReplacements(free)).toEqual(replaced);
});
