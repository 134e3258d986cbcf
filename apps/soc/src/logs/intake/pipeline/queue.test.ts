import { createFakeClock } from "@kit/clock/fake";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import type { Chunk } from "./chunk.ts";
import type { Outcomes } from "./outcome.ts";
import { createQueue } from "./queue.ts";

const chunk = (rows = 0): Chunk => ({
  entries: Array.from({ length: rows }, (_, index) => ({
    ...{ id: `${index}`, index, raw: "", source: "", sender: "", isNamed: false },
    log: undefined,
    reason: undefined,
  })),
  characters: 1,
  batch: undefined,
  origin: { format: "json", sender: "key:edge" },
});

const readMessage = (error: unknown) => (error instanceof Error ? error.message : "");

it("refuses a chunk that has waited too long, instead of letting it wait for all earlier chunks", async () => {
  const clock = createFakeClock();
  const unavailable = new Problem("unavailable", "the stream does not answer");
  const storeGroup = async (chunks: readonly Chunk[]): Promise<Outcomes> => {
    await clock.sleep(15_000);
    return new Map(chunks.map((each) => [each, unavailable]));
  };
  const limits = { groupMs: 0, groupCharacters: 1, groupConcurrency: 1, waitMs: 10_000 };
  const queue = createQueue({ writer: { storeGroup }, clock, limits });
  const ends: [string, number][] = [];
  const send = (name: string) =>
    queue.store(chunk()).catch((error: unknown) => ends.push([`${name}: ${readMessage(error)}`, clock.monotonicMs()]));
  const sent = [send("first"), send("second")];
  await clock.advance(0);
  await clock.advance(8000);
  sent.push(send("third"));
  for (let second = 0; second < 30; second += 1) await clock.advance(1000);
  await Promise.all(sent);
  expect(ends).toEqual([
    ["first: the stream does not answer", 15_000],
    ["second: the intake is too slow; see Retry-After", 15_000],
    ["third: the stream does not answer", 30_000],
  ]);
});

it("collects for longer while many rows are waiting, up to the busy limit", async () => {
  const clock = createFakeClock();
  const groups: [number, number][] = [];
  const storeGroup = async (chunks: readonly Chunk[]): Promise<Outcomes> => {
    groups.push([clock.monotonicMs(), chunks.length]);
    return new Map(chunks.map((each) => [each, { refused: [], entries: [] }]));
  };
  const limits = { groupMs: 200, busyRows: 10, busyMs: 500 };
  const queue = createQueue({ writer: { storeGroup }, clock, limits });
  const sent = [queue.store(chunk(9))];
  for (let step = 0; step < 5; step += 1) await clock.advance(50);
  expect(groups).toEqual([[200, 1]]);
  sent.push(queue.store(chunk(9)));
  await clock.advance(100);
  sent.push(queue.store(chunk(1)));
  for (let step = 0; step < 10; step += 1) await clock.advance(50);
  await Promise.all(sent);
  expect(groups).toEqual([
    [200, 1],
    [750, 2],
  ]);
});

it("stores a second group concurrently only if it is full, and never a third", async () => {
  const clock = createFakeClock();
  const groups: [number, number][] = [];
  const storeGroup = async (chunks: readonly Chunk[]): Promise<Outcomes> => {
    groups.push([clock.monotonicMs(), chunks.length]);
    await clock.sleep(1000);
    return new Map(chunks.map((each) => [each, { refused: [], entries: [] }]));
  };
  const limits = { groupMs: 100, groupRows: 10, groupConcurrency: 2 };
  const queue = createQueue({ writer: { storeGroup }, clock, limits });
  const run = async (ms: number) => {
    await clock.advance(0);
    for (let at = 0; at < ms; at += 50) await clock.advance(50);
  };
  const sent = [queue.store(chunk(10))];
  await run(50);
  sent.push(queue.store(chunk(5)));
  await run(450);
  // A group that is not full waits for the first one; here it becomes full.
  sent.push(queue.store(chunk(5)), queue.store(chunk(10)));
  await run(2500);
  sent.push(queue.store(chunk(1)));
  const closing = queue.close();
  await run(1500);
  await Promise.all([...sent, closing]);
  expect(groups).toEqual([
    [0, 1],
    [500, 2],
    [1000, 1],
    [3000, 1],
  ]);
});
