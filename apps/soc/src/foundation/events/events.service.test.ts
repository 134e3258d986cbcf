import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { expect, it } from "vitest";
import type { Scope } from "../caller/caller.ts";
import { createRuntimeService } from "../runtime/runtime.service.ts";
import type { PlatformEvent } from "./event.ts";
import { createEventsService } from "./events.service.ts";
import type { EventsStore } from "./events.store.ts";
import { createRecentEvents } from "./recent-events.ts";
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
      store: createRecentEvents({ store: UNUSED_STORE, clock }),
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
    write: (frames) => void received.push(frames.toString()),
    pendingBytes: () => pendingBytes,
    end: () => void received.push("end"),
    cut: () => void received.push("cut"),
  };
  return { received, open: () => sink };
}

it("sends a heartbeat every fifteen seconds if nothing happens", async () => {
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

it("refuses a listener if reads are unavailable, without opening its sink", async () => {
  const { events } = platformWithoutDatabase("real");
  const { received, open } = createReader();
  await expect(events.listen(NOOR, {}, open)).rejects.toMatchObject({ kind: "unavailable" });
  expect(received).toEqual([]);
  expect(await events.sweep()).toBe(0);
});

it("keeps a stream that opens while the access of the other listeners is checked", async () => {
  const clock = createFakeClock();
  const first = createReader();
  const later = createReader();
  const events = createEventsService({
    runtime: createRuntimeService({ mode: "real", database: { isAvailable: async () => true } }),
    store: createRecentEvents({ store: { ...UNUSED_STORE, last: async () => 0n, read: async () => [] }, clock }),
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

/** A platform with a database that contains these events. */
function platformWithEvents() {
  const clock = createFakeClock();
  const stored: PlatformEvent[] = [];
  let reads = 0;
  const store: EventsStore = {
    ...UNUSED_STORE,
    last: async () => stored.at(-1)?.place ?? 0n,
    async read(after, limit) {
      reads += 1;
      return stored.filter(({ place }) => place > after).slice(0, limit);
    },
  };
  const filtered: unknown[] = [];
  const events = createEventsService({
    runtime: createRuntimeService({ mode: "real", database: { isAvailable: async () => true } }),
    store: createRecentEvents({ store, clock }),
    readers: new Map<string, readonly ["alerts:read"] | "subject">([
      ["alert", ["alerts:read"]],
      ["inbox", "subject"],
    ]),
    sights: new Map([
      [
        "alert",
        {
          async filter(scope: Scope, ids: readonly string[]) {
            filtered.push(scope);
            return new Set(ids.filter((id) => scope.includes(id)));
          },
        },
      ],
    ]),
    refreshCallers: async (callers) => new Map(callers.map((caller) => [caller, caller])),
    clock,
    log: silentLog,
  });
  const add = (type: string, subject_id: string) => {
    const place = BigInt(stored.length + 1);
    stored.push({ place, at: new Date(0), type, actor: null, subject_type: null, subject_id, data: {} });
  };
  return { clock, events, add, filtered, countReads: () => reads };
}

const subjectsIn = (received: readonly string[]) =>
  [...received.join("").matchAll(/"subject_id":"([^"]*)"/g)].map(([, subject]) => subject);

it("builds frames once for all listeners with the same audience", async () => {
  const { clock, events, add, filtered } = platformWithEvents();
  const written: unknown[] = [];
  const open = () => ({ ...createReader().open(), write: (frames: unknown) => void written.push(frames) });
  for (const username of ["a", "b", "c"]) await events.listen({ ...NOOR, username }, {}, open);
  for (const username of ["d", "e"]) await events.listen({ ...NOOR, username, sites: ["1", "Alpha"] }, {}, open);
  await clock.advance(300);
  written.length = 0;
  add("alert.created", "Alpha");
  await clock.advance(300);
  // The same buffer, not an equal copy.
  expect(written).toHaveLength(5);
  expect(new Set(written).size).toBe(2);
  expect(filtered).toHaveLength(1);
});

it("sends an event about one user to no other listener with the same audience", async () => {
  const { clock, events, add } = platformWithEvents();
  const [noor, sara] = [createReader(), createReader()];
  await events.listen(NOOR, {}, noor.open);
  await events.listen({ ...NOOR, username: "sara" }, {}, sara.open);
  await clock.advance(300);
  add("alert.created", "a1");
  add("inbox.added", "sara");
  add("alert.created", "a2");
  await clock.advance(300);
  expect(subjectsIn(noor.received)).toEqual(["a1", "a2"]);
  expect(subjectsIn(sara.received)).toEqual(["a1", "sara", "a2"]);
});

it("serves returning listeners from memory, each from its own place", async () => {
  const { clock, events, add, countReads } = platformWithEvents();
  const steady = createReader();
  await events.listen(NOOR, {}, steady.open);
  await clock.advance(300);
  for (const subject of ["a1", "a2", "a3"]) add("alert.created", subject);
  await clock.advance(300);
  const before = countReads();
  const back = [1, 2, 3].map(() => createReader());
  for (const [place, { open }] of back.entries()) await events.listen(NOOR, { lastEventId: String(place) }, open);
  await clock.advance(250);
  expect(back.map(({ received }) => subjectsIn(received))).toEqual([["a1", "a2", "a3"], ["a2", "a3"], ["a3"]]);
  // Only the poll for new events.
  expect(countReads() - before).toBeLessThanOrEqual(2);
});

it("sends a slow listener the missed events once it has room again", async () => {
  const { clock, events, add } = platformWithEvents();
  const slow = createReader();
  let pendingBytes = 70_000;
  await events.listen(NOOR, {}, () => ({ ...slow.open(), pendingBytes: () => pendingBytes }));
  await clock.advance(300);
  for (const subject of ["a1", "a2"]) add("alert.created", subject);
  await clock.advance(1000);
  expect(subjectsIn(slow.received)).toEqual([]);
  pendingBytes = 0;
  add("alert.created", "a3");
  await clock.advance(1000);
  expect(subjectsIn(slow.received)).toEqual(["a1", "a2", "a3"]);
});
