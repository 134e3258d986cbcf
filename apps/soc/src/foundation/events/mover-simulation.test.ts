import process from "node:process";
import { expect, it } from "vitest";
import { simulateMover } from "../../../testing/simulations/mover-history.ts";

const isFull = process.env.PROVE === "full";
const HISTORIES = isFull ? 100_000 : 150;

it(`moves every change once and in order over ${HISTORIES} random histories of movers`, {
  timeout: isFull ? 3_600_000 : 60_000,
}, () => {
  const total = { moved: 0, takeovers: 0, repeated: 0 };
  const wrong: string[] = [];
  for (let seed = 1; seed <= HISTORIES && wrong.length < 10; seed += 1) {
    const { problems, moved, takeovers, repeated } = simulateMover(seed);
    total.moved += moved;
    total.takeovers += takeovers;
    total.repeated += repeated;
    wrong.push(...problems.map((problem) => `history ${seed}: ${problem}`));
  }
  expect(wrong).toEqual([]);
  if (isFull) {
    process.stdout.write(
      `${HISTORIES} histories: ${total.moved} changes, ${total.takeovers} movers, ${total.repeated} messages dropped as repeated\n`,
    );
  }
  // Fails if the random histories are too tame to test anything.
  expect(total.takeovers).toBeGreaterThan(2 * HISTORIES);
  expect(total.repeated).toBeGreaterThan(HISTORIES);
});
