import { createFakeClock } from "@kit/clock/fake";
import { createFixedWindows } from "@kit/http/limits";
import { expect, it } from "vitest";
import { createIntakeKeys, type HeldKey } from "./intake-keys.ts";

const HELD = { key: { id: "1" }, owner: { username: "noor" } } as HeldKey;
const ADDRESS = "192.0.2.1";

function newKeys(maxKeys?: number) {
  const clock = createFakeClock();
  const keys = createIntakeKeys({ windows: createFixedWindows({ clock }), clock, ...(maxKeys && { maxKeys }) });
  const reads: string[] = [];
  const held = new Map([["known", HELD]]);
  const find = (hash: string, address = ADDRESS) =>
    keys.find(hash, address, async () => {
      reads.push(hash);
      return held.get(hash);
    });
  return { clock, keys, reads, held, find };
}

it("reads a key once in five seconds, however many requests use it", async () => {
  const { clock, reads, held, find } = newKeys();
  expect(await Promise.all([find("known"), find("known")])).toEqual([HELD, HELD]);
  held.clear();
  await clock.advance(4999);
  expect(await find("known")).toBe(HELD);
  expect(reads).toHaveLength(1);
  await clock.advance(1);
  expect(await find("known")).toBeUndefined();
  expect(reads).toHaveLength(2);
});

it("remembers for five seconds that a key is unknown", async () => {
  const { clock, reads, find } = newKeys();
  await find("wrong");
  await find("wrong");
  expect(reads).toHaveLength(1);
  await clock.advance(5000);
  await find("wrong");
  expect(reads).toHaveLength(2);
});

it("reads at most 300 unknown keys of an address per minute, without limiting known keys", async () => {
  const { clock, reads, find } = newKeys();
  expect(await find("known")).toBe(HELD);
  const tried = await Promise.allSettled(Array.from({ length: 1000 }, (_, n) => find(`wrong-${n}`)));
  expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(300);
  expect(reads).toHaveLength(301);
  await expect(find("another")).rejects.toMatchObject({ kind: "rate_limited", retryAfterSeconds: 60 });
  expect(await find("another", "192.0.2.2")).toBeUndefined();
  await clock.advance(5000);
  expect(await find("known")).toBe(HELD);
  await clock.advance(55_000);
  expect(await find("another")).toBeUndefined();
});

it("forgets all keys at once, including one that is being read", async () => {
  const { keys, reads, find } = newKeys();
  const reading = find("known");
  keys.forget();
  await reading;
  await find("known");
  expect(reads).toHaveLength(2);
});

it("does not remember a failed read", async () => {
  const { keys, find } = newKeys();
  await expect(keys.find("known", ADDRESS, () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(await find("known")).toBe(HELD);
});

it("evicts the least recently used key beyond its limit", async () => {
  const { reads, find } = newKeys(2);
  for (const hash of ["known", "a", "known", "b", "known", "a"]) await find(hash);
  expect(reads).toEqual(["known", "a", "b", "a"]);
});
