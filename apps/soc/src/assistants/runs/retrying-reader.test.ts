import { createFakeClock, type FakeClock } from "@kit/clock/fake";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import { createMemoryReader } from "../../../testing/situations/memory-reader.ts";
import { SAMPLE_WORLD } from "../../../testing/situations/sample-intrusion.ts";
import { createRetryPolicy } from "./retry-policy.ts";
import { createRetryingReader } from "./retrying-reader.ts";

const UNAVAILABLE = new Problem("unavailable", "the log store does not answer");

/** Creates a reader of logs that fails until a given time of the clock. */
function createWorld({ failsForMs, problem = UNAVAILABLE }: { failsForMs: number; problem?: Problem }) {
  const clock = createFakeClock();
  const failOr = async <Answer>(read: () => Promise<Answer>) => {
    if (clock.monotonicMs() < failsForMs) throw problem;
    return read();
  };
  const memory = createMemoryReader(SAMPLE_WORLD);
  const reader = {
    ...memory,
    find: (log_ids: readonly string[]) => failOr(() => memory.find(log_ids)),
    iocHits: () => failOr(async () => []),
  };
  const aborting = new AbortController();
  return {
    clock,
    aborting,
    patient: createRetryingReader(reader, createRetryPolicy({ clock, signal: aborting.signal })),
  };
}

/** Small steps, because each failure starts a new wait. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 100) await clock.advance(100);
}

it("repeats a read until the log store is available again", async () => {
  const { clock, patient } = createWorld({ failsForMs: 7000 });
  const reading = patient.find(["log-4"]);
  await pass(clock, 8000);
  expect((await reading).map(({ id }) => id)).toEqual(["log-4"]);
});

it("fails with the problem after 20 seconds and does not wait again at the next read", async () => {
  const { clock, patient } = createWorld({ failsForMs: 60_000 });
  const reading = patient.find(["log-4"]).catch((error: unknown) => error);
  await pass(clock, 21_000);
  expect(await reading).toBe(UNAVAILABLE);
  await expect(patient.iocHits([], 1)).rejects.toBe(UNAVAILABLE);
});

it("repeats no refused read and nothing after the end of its investigation", async () => {
  const problem = new Problem("forbidden", "not yours");
  await expect(createWorld({ failsForMs: 1, problem }).patient.find(["log-4"])).rejects.toBe(problem);
  const { aborting, patient } = createWorld({ failsForMs: 1000 });
  aborting.abort();
  await expect(patient.find(["log-4"])).rejects.toBe(UNAVAILABLE);
});
