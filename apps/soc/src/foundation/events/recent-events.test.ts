import { createFakeClock } from "@kit/clock/fake";
import { expect, it } from "vitest";
import type { PlatformEvent } from "./event.ts";
import { createRecentEvents } from "./recent-events.ts";

const event = (place: number): PlatformEvent => ({
  ...{ place: BigInt(place), at: new Date(0), type: "alert.created", actor: null, subject_type: null },
  ...{ subject_id: String(place), data: {} },
});

/** A database that counts how often it is read. */
function newRecent(maxEvents?: number) {
  const clock = createFakeClock();
  const stored: PlatformEvent[] = [];
  const reads: bigint[] = [];
  const recent = createRecentEvents({
    store: {
      last: async () => stored.at(-1)?.place ?? 0n,
      async read(after, limit) {
        reads.push(after);
        return stored.filter(({ place }) => place > after).slice(0, limit);
      },
      isKept: async () => false,
      deleteSome: async () => 0,
    },
    clock,
    ...(maxEvents && { maxEvents }),
  });
  const read = async (after: number, limit = 100) =>
    (await recent.read(BigInt(after), limit)).map(({ place }) => Number(place));
  const store = (...places: number[]) => stored.push(...places.map(event));
  return { clock, recent, reads, read, store };
}

it("reads the database at the end of its events, and answers from memory before it", async () => {
  const { recent, reads, read, store } = newRecent();
  expect(await read(0)).toEqual([]);
  store(1, 2, 3);
  expect(await read(0)).toEqual([1, 2, 3]);
  expect(await read(1)).toEqual([2, 3]);
  expect(await read(0, 2)).toEqual([1, 2]);
  expect(reads).toEqual([0n, 0n]);
  store(4);
  expect(await read(3)).toEqual([4]);
  expect(reads).toEqual([0n, 0n, 3n]);
  expect(await recent.isKept(2n)).toBe(true);
  expect(await recent.isKept(9n)).toBe(false);
});

it("keeps a bounded number of events, and reads older ones from the database", async () => {
  const { reads, read, store } = newRecent(2);
  store(1, 2, 3, 4);
  expect(await read(0)).toEqual([1, 2, 3, 4]);
  expect(await read(2)).toEqual([3, 4]);
  expect(await read(1)).toEqual([2, 3, 4]);
  expect(reads).toEqual([0n, 1n]);
});

it("starts again after a read beyond its end, and after it was cleared", async () => {
  const { recent, reads, read, store } = newRecent();
  store(1, 2, 3, 4);
  expect(await read(0, 1)).toEqual([1]);
  expect(await read(3)).toEqual([4]);
  expect(recent.covers(1n)).toBe(false);
  expect(recent.covers(3n)).toBe(true);
  recent.forget();
  expect(recent.covers(3n)).toBe(false);
  expect(await read(3)).toEqual([4]);
  expect(reads).toHaveLength(3);
});

it("does not query the database for two seconds while a feed delivers the next events", async () => {
  const { clock, recent, reads, read, store } = newRecent();
  recent.setLive(true);
  expect(await read(0)).toEqual([]);
  recent.add(event(1));
  expect(await read(0)).toEqual([1]);
  expect(await read(1)).toEqual([]);
  expect(reads).toEqual([0n]);
  // An event that the feed does not deliver.
  store(1, 2);
  await clock.advance(1999);
  expect(await read(1)).toEqual([]);
  await clock.advance(1);
  expect(await read(1)).toEqual([2]);
  // The feed is behind now, so the database is read until the feed has caught up.
  expect(await read(2)).toEqual([]);
  expect(reads).toEqual([0n, 1n, 2n]);
  recent.add(event(2));
  expect(await read(2)).toEqual([]);
  expect(reads).toHaveLength(3);
});

it("queries the database at once if the feed skipped an event or stopped, and accepts no event twice", async () => {
  const { recent, reads, read, store } = newRecent();
  store(1, 2, 3);
  recent.setLive(true);
  expect(await read(1)).toEqual([2, 3]);
  recent.add(event(3));
  expect(await read(3)).toEqual([]);
  recent.add(event(3));
  recent.add(event(5));
  store(4, 5);
  expect(await read(3)).toEqual([4, 5]);
  expect(await read(5)).toEqual([]);
  expect(reads).toEqual([1n, 3n]);
  recent.setLive(false);
  store(6);
  expect(await read(5)).toEqual([6]);
  expect(reads).toEqual([1n, 3n, 5n]);
});
