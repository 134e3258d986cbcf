import { expect, it } from "vitest";
import { replayMany } from "./replay-many.ts";

const outcomes: Readonly<Record<string, () => { rejected: number }>> = {
  good: () => ({ rejected: 0 }),
  again: () => ({ rejected: 1 }),
  cut: () => {
    throw new Error("was truncated");
  },
  down: () => {
    throw new TypeError("no answer");
  },
};

function start(ids: readonly string[], stopAfter = Infinity) {
  const stopping = new AbortController();
  const seen: number[] = [];
  const asked: string[] = [];
  const run = replayMany(ids, {
    replay: async (id) => {
      asked.push(id);
      return outcomes[id]?.() ?? expect.fail(id);
    },
    findReason: (error) => (error instanceof TypeError ? undefined : String(error)),
    onProgress: (done) => {
      seen.push(done);
      if (done >= stopAfter) stopping.abort();
    },
    signal: stopping.signal,
  });
  return { run, seen, asked };
}

it("counts stored and rejected events, and continues after a rejection", async () => {
  const { run, seen } = start(["good", "cut", "again", "good"]);
  expect(await run).toEqual({ stored: 2, refused: 2, reason: "Error: was truncated" });
  expect(seen).toEqual([1, 2, 3, 4]);
});

it("stops when the service does not respond, and reports the rest as not tried", async () => {
  const { run, asked } = start(["good", "down", "good"]);
  await expect(run).rejects.toThrow("no answer");
  expect(asked).toEqual(["good", "down"]);
});

it("stops between two events", async () => {
  const { run, asked } = start(["good", "good", "good"], 2);
  expect(await run).toMatchObject({ stored: 2, refused: 0 });
  expect(asked).toHaveLength(2);
});
