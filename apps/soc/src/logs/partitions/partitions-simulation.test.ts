import process from "node:process";
import { expect, it } from "vitest";
import { simulatePartitions } from "../../../testing/simulations/partitions-history.ts";

const isFull = process.env.PROVE === "full";
const HISTORIES = isFull ? 900_000 : 500;

it(`keeps one owner, every log and every window over ${HISTORIES} random histories of hosts`, {
  timeout: isFull ? 3 * 3_600_000 : 120_000,
}, () => {
  const total = { handled: 0, takeovers: 0, refusals: 0 };
  const wrong: string[] = [];
  for (let seed = 1; seed <= HISTORIES && wrong.length < 10; seed += 1) {
    const { problems, handled, takeovers, refusals } = simulatePartitions(seed);
    total.handled += handled;
    total.takeovers += takeovers;
    total.refusals += refusals;
    wrong.push(...problems.map((problem) => `history ${seed}: ${problem}`));
  }
  expect(wrong).toEqual([]);
  if (isFull) {
    process.stdout.write(
      `${HISTORIES} histories: ${total.handled} groups, ${total.takeovers} owners, ${total.refusals} stale acts refused\n`,
    );
  }
  // Fails if the random histories are too tame to test anything.
  expect(total.handled).toBeGreaterThan(HISTORIES * 10);
  expect(total.refusals).toBeGreaterThan(HISTORIES / 2);
});
