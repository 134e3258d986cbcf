import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { afterEach, describe, expect, it } from "vitest";
import { watchCard } from "./card-mount.ts";

const closing: AbortController[] = [];
afterEach(() => {
  for (const controller of closing) controller.abort();
});

async function watchFakeCard() {
  const clock = createFakeClock();
  const controller = new AbortController();
  closing.push(controller);
  const card = { id: undefined as string | undefined, stamp: "s0", canBeRead: true };
  const calls: string[] = [];
  const mount = { identify: async () => card.id, stampFolders: async () => card.stamp };
  const listener = {
    pulled: () => void calls.push("pulled"),
    inserted: () => void calls.push("inserted"),
    async read() {
      calls.push("read");
      if (!card.canBeRead) throw new Error("EIO");
      return { folders: [""], stamp: card.stamp };
    },
  };
  const done = watchCard({ mount, listener, clock, log: silentLog }, controller.signal);
  // The first poll, without a card.
  await clock.advance(0);
  return { card, calls, done, clock, close: () => controller.abort(), poll: () => clock.advance(2000) };
}

describe("the card watcher", () => {
  it("reads an inserted card, reports its removal, and reads the next one", async () => {
    const { card, calls, poll } = await watchFakeCard();
    await poll();
    expect(calls).toEqual([]);
    card.id = "1:2";
    await poll();
    expect(calls).toEqual(["inserted", "read"]);
    card.id = undefined;
    await poll();
    card.id = "1:3";
    await poll();
    expect(calls.slice(2)).toEqual(["pulled", "inserted", "read"]);
  });

  it("reports a card that was replaced between two polls", async () => {
    const { card, calls, poll } = await watchFakeCard();
    card.id = "1:2";
    await poll();
    card.id = "1:3";
    await poll();
    expect(calls).toEqual(["inserted", "read", "pulled", "inserted", "read"]);
  });

  it("the card watcher does not read again while nothing changes", async () => {
    const { card, calls, clock } = await watchFakeCard();
    card.id = "1:2";
    await clock.advance(60_000);
    expect(calls).toEqual(["inserted", "read"]);
  });

  it("reads a changed card once it has settled", async () => {
    const { card, calls, poll } = await watchFakeCard();
    card.id = "1:2";
    await poll();
    card.stamp = "s1";
    await poll();
    card.stamp = "s2";
    await poll();
    expect(calls).toEqual(["inserted", "read"]);
    await poll();
    await poll();
    expect(calls).toEqual(["inserted", "read", "read"]);
  });

  it("reads a card that never settles after ten seconds", async () => {
    const { card, calls, poll } = await watchFakeCard();
    card.id = "1:2";
    await poll();
    for (let change = 1; change <= 10; change += 1) {
      card.stamp = `s${change}`;
      await poll();
    }
    expect(calls).toEqual(["inserted", "read", "read", "read"]);
  });

  it("retries when a card could not be read, also one that it has read before", async () => {
    const { card, calls, poll } = await watchFakeCard();
    card.id = "1:2";
    await poll();
    card.id = undefined;
    await poll();
    card.id = "1:2";
    card.canBeRead = false;
    await poll();
    card.canBeRead = true;
    await poll();
    await poll();
    expect(calls).toEqual(["inserted", "read", "pulled", "inserted", "read", "read"]);
  });

  it("ends when it is aborted, also during a pause", async () => {
    const { card, done, close, poll, calls } = await watchFakeCard();
    await poll();
    close();
    await done;
    card.id = "1:2";
    await poll();
    expect(calls).toEqual([]);
  });
});
