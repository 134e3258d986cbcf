import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { expect, it } from "vitest";
import { createRuntimeService } from "../runtime/runtime.service.ts";
import { createEventsService } from "./events.service.ts";
import type { EventsStore } from "./events.store.ts";
import type { Sink } from "./sink.ts";

const UNUSED_STORE: EventsStore = {
  last: () => Promise.reject(new Error("there is no database")),
  read: () => Promise.reject(new Error("there is no database")),
  isKept: () => Promise.reject(new Error("there is no database")),
  deleteSome: () => Promise.reject(new Error("there is no database")),
};
const NOOR = { kind: "user", username: "noor", role: "tier2" } as const;

function platformWithoutDatabase(mode: "dummy" | "real" = "dummy") {
  const clock = createFakeClock();
  const runtime = createRuntimeService({ mode, database: { isAvailable: async () => false } });
  return {
    clock,
    events: createEventsService({
      runtime,
      store: UNUSED_STORE,
      readers: new Map(),
      sights: new Map(),
      refreshCallers: async (callers) => new Map(callers.map((caller) => [caller, caller])),
      clock,
      log: silentLog,
    }),
  };
}

function createReader(pendingBytes = 0) {
  const received: string[] = [];
  const sink: Sink = {
    write: (text) => void received.push(text),
    pendingBytes: () => pendingBytes,
    end: () => void received.push("end"),
    cut: () => void received.push("cut"),
  };
  return { received, open: () => sink };
}

it("sends a heartbeat every fifteen seconds while nothing happens", async () => {
  const { clock, events } = platformWithoutDatabase();
  const { received, open } = createReader();
  const stop = await events.listen(NOOR, {}, open);
  await clock.advance(14_000);
  expect(received).toEqual(["retry: 1000\n\n"]);
  await clock.advance(17_000);
  expect(received.slice(1)).toEqual([": heartbeat\n\n", ": heartbeat\n\n"]);
  stop();
  await clock.advance(60_000);
  expect(received).toHaveLength(3);
});

it("disconnects a reader that leaves more than 64 KiB unread for half a minute", async () => {
  const { clock, events } = platformWithoutDatabase();
  const slow = createReader(65_537);
  const quick = createReader(65_536);
  await events.listen(NOOR, {}, slow.open);
  await events.listen(NOOR, {}, quick.open);
  await clock.advance(29_000);
  expect(slow.received).not.toContain("cut");
  await clock.advance(2000);
  expect(slow.received.at(-1)).toBe("cut");
  expect(quick.received).not.toContain("cut");
});

it("ends a stream after five minutes, so that the client opens a fresh connection", async () => {
  const { clock, events } = platformWithoutDatabase();
  const { received, open } = createReader();
  await events.listen(NOOR, {}, open);
  await clock.advance(299_000);
  expect(received).not.toContain("end");
  await clock.advance(1500);
  expect(received.at(-1)).toBe("end");
});

it("allows ten concurrent streams per caller", async () => {
  const { events } = platformWithoutDatabase();
  const { open } = createReader();
  const stops = await Promise.all(Array.from({ length: 10 }, () => events.listen(NOOR, {}, open)));
  await expect(events.listen(NOOR, {}, open)).rejects.toMatchObject({ kind: "rate_limited" });
  await events.listen({ ...NOOR, username: "sara" }, {}, open);
  stops[0]?.();
  await events.listen(NOOR, {}, open);
});

it("ends all streams when it closes, and accepts no new ones", async () => {
  const { clock, events } = platformWithoutDatabase();
  const { received, open } = createReader();
  await events.listen(NOOR, {}, open);
  await clock.advance(1000);
  const closed = events.close();
  await clock.advance(250);
  await closed;
  expect(received.at(-1)).toBe("end");
  await expect(events.listen(NOOR, {}, open)).rejects.toMatchObject({ kind: "unavailable" });
});

it("refuses a listener when reads are unavailable, without opening its sink", async () => {
  const { events } = platformWithoutDatabase("real");
  const { received, open } = createReader();
  await expect(events.listen(NOOR, {}, open)).rejects.toMatchObject({ kind: "unavailable" });
  expect(received).toEqual([]);
  expect(await events.sweep()).toBe(0);
});

it("does not end a stream that opens while the access of the others is checked", async () => {
  const clock = createFakeClock();
  const first = createReader();
  const later = createReader();
  const events = createEventsService({
    runtime: createRuntimeService({ mode: "real", database: { isAvailable: async () => true } }),
    store: { ...UNUSED_STORE, last: async () => 0n, read: async () => [] },
    readers: new Map(),
    sights: new Map(),
    async refreshCallers(callers) {
      if (callers.length === 1) await events.listen({ ...NOOR }, {}, later.open);
      return new Map(callers.map((caller) => [caller, caller]));
    },
    clock,
    log: silentLog,
  });
  await events.listen(NOOR, {}, first.open);
  await clock.advance(1000);
  expect(first.received).toHaveLength(1);
  expect(later.received).toHaveLength(1);
});
