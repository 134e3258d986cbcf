import { AsyncLocalStorage } from "node:async_hooks";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Sink } from "../../foundation/events/sink.ts";
import { createRuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogWindow } from "../../ports/log-store.ts";
import { createTailService } from "./tail.service.ts";

const NOOR: Caller = { kind: "user", username: "noor", role: "tier2" };

/** Starts a tail over logs with their ingest times. */
function startTail(isAvailable = true) {
  const clock = createFakeClock();
  const stored: LogEvent[] = [];
  const lost = new Set<string>();
  const windows: LogWindow[] = [];
  const sites = new Map<string, readonly string[]>();
  const limits = new AsyncLocalStorage<string>();
  const limitsOfReads = new Set<string | undefined>();
  const engine = { isBusy: false, onFound: (): unknown => undefined };
  const tail = createTailService({
    runtime: createRuntimeService({ mode: "dummy", database: { isAvailable: async () => isAvailable } }),
    logs: {
      async *read(window) {
        windows.push(window);
        limitsOfReads.add(limits.getStore());
        if (engine.isBusy) throw new Error("the engine is busy");
        const [from, to] = [window.from.toISOString(), window.to.toISOString()];
        const found = stored.filter(({ ingested_at }) => ingested_at >= from && ingested_at < to);
        if (found.length > 0) engine.onFound();
        yield found;
      },
    },
    refreshCallers: async (callers) =>
      new Map(
        callers
          .filter(({ username }) => !lost.has(username))
          .map((caller) => {
            const { sites: _, ...unlimited } = caller;
            const given = sites.get(caller.username);
            return [caller, given ? { ...unlimited, sites: given } : unlimited];
          }),
      ),
    clock,
    log: silentLog,
  });
  const ingest = (count: number, given: Partial<LogEvent> = {}) => {
    const ingested_at = clock.now().toISOString();
    for (let n = 0; n < count; n += 1) stored.push(sampleLog({ id: `log-${stored.length}`, ...given, ingested_at }));
  };
  return { clock, tail, ingest, lost, windows, engine, sites, limits, limitsOfReads };
}

function createReader(pendingBytes = 0) {
  const received: string[] = [];
  const sink: Sink = {
    write: (frames) => void received.push(frames.toString()),
    pendingBytes: () => pendingBytes,
    end: () => void received.push("end"),
    cut: () => void received.push("cut"),
  };
  const frames = () =>
    received
      .join("")
      .split("\n\n")
      .flatMap((frame) => /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [])
      .flatMap((_part, place, parts) =>
        place % 3 === 0 ? [[parts[place + 1], JSON.parse(parts[place + 2] ?? "")]] : [],
      );
  return { received, frames, open: () => sink };
}

it("sends each new matching log once, and no older one", async () => {
  const { clock, tail, ingest } = startTail();
  ingest(1, { host: "srv-1" });
  const { frames, open } = createReader();
  await clock.advance(5000);
  tail.follow(NOOR, { query: "host:srv-1" }, open);
  await clock.advance(1000);
  ingest(1, { host: "srv-1", message: "seen" });
  ingest(1, { host: "srv-2" });
  await clock.advance(10_000);
  expect(frames()).toMatchObject([["log", { host: "srv-1", message: "seen", user: null }]]);
});

it("sends only logs of the caller's current sites, and none without a site", async () => {
  const { clock, tail, ingest, sites, limits, limitsOfReads } = startTail();
  const { frames, open } = createReader();
  sites.set("noor", ["a-id", "Alpha"]);
  limits.run("request of noor", () => tail.follow({ ...NOOR, sites: ["a-id", "Alpha"] }, {}, open));
  const ingestEach = async (word: string) => {
    await clock.advance(1000);
    for (const site of ["Alpha", "Beta", "", "a-id", "alpha"]) ingest(1, { site, message: `${word} ${site}` });
    await clock.advance(5000);
  };
  await ingestEach("first");
  sites.set("noor", ["b-id", "Beta"]);
  await clock.advance(2000);
  await ingestEach("second");
  const messages = frames().map(([, { message }]) => message);
  expect(messages).toEqual(["first Alpha", "first a-id", "second Beta"]);
  expect([...limitsOfReads]).toEqual([undefined]);
});

it("sends nothing to a caller who loses access while the logs are read", async () => {
  const { clock, tail, ingest, lost, engine } = startTail();
  const { received, frames, open } = createReader();
  tail.follow(NOOR, {}, open);
  await clock.advance(1000);
  ingest(1);
  engine.onFound = () => lost.add("noor");
  await clock.advance(5000);
  expect(frames()).toEqual([]);
  expect(received.at(-1)).toBe("end");
});

it("sends the newest 200 logs of a second, and reports how many it dropped", async () => {
  const { clock, tail, ingest } = startTail();
  const { frames, open } = createReader();
  tail.follow(NOOR, {}, open);
  await clock.advance(1000);
  ingest(250);
  await clock.advance(5000);
  const [first, ...rest] = frames();
  expect(first).toEqual(["dropped", { count: 50, is_estimate: false }]);
  expect(rest).toHaveLength(200);
  expect(rest.at(-1)?.[1]).toMatchObject({ id: "log-249" });
});

it("reports that it dropped logs which it did not read", async () => {
  const { clock, tail, ingest } = startTail();
  const { frames, open } = createReader();
  tail.follow(NOOR, { query: "host:absent" }, open);
  await clock.advance(1000);
  ingest(20_001);
  await clock.advance(5000);
  expect(frames()).toEqual([["dropped", { count: 0, is_estimate: true }]]);
});

it("sends the logs of an interval in which the engine was unreachable, or reports that it dropped them", async () => {
  const { clock, tail, ingest, engine } = startTail();
  const { frames, open } = createReader();
  tail.follow(NOOR, {}, open);
  await clock.advance(1000);
  engine.isBusy = true;
  ingest(1, { message: "meanwhile" });
  await clock.advance(5000);
  expect(frames()).toEqual([]);
  engine.isBusy = false;
  await clock.advance(2000);
  expect(frames()).toMatchObject([["log", { message: "meanwhile" }]]);
  engine.isBusy = true;
  ingest(1, { message: "too long ago" });
  await clock.advance(30_000);
  engine.isBusy = false;
  await clock.advance(2000);
  expect(frames().slice(1)).toEqual([["dropped", { count: 0, is_estimate: true }]]);
});

it("reads the logs once for all followers, and only if there are followers", async () => {
  const { clock, tail, windows } = startTail();
  const stops = [NOOR, { ...NOOR, username: "sara" }].map((caller) => tail.follow(caller, {}, createReader().open));
  await clock.advance(10_500);
  const read = windows.length;
  expect(read).toBeLessThanOrEqual(11);
  for (const stop of stops) stop();
  await clock.advance(10_000);
  expect(windows.length).toBeLessThanOrEqual(read + 1);
});

it("allows three streams per caller", () => {
  const { tail } = startTail();
  const follow = () => tail.follow(NOOR, {}, createReader().open);
  const stops = [follow(), follow(), follow()];
  expect(follow).toThrow(expect.objectContaining({ kind: "rate_limited" }));
  stops[0]?.();
  follow();
});

it("ends when its caller loses access, after five minutes, and with the service", async () => {
  const { clock, tail, lost } = startTail();
  const [lasting, losing] = [createReader(), createReader()];
  tail.follow(NOOR, {}, lasting.open);
  tail.follow({ ...NOOR, username: "sara" }, {}, losing.open);
  lost.add("sara");
  await clock.advance(2000);
  expect(losing.received.at(-1)).toBe("end");
  expect(lasting.received).not.toContain("end");
  await clock.advance(300_000);
  expect(lasting.received.at(-1)).toBe("end");
  const open = createReader();
  tail.follow(NOOR, {}, open.open);
  const closing = tail.close();
  await clock.advance(2000);
  await closing;
  expect(open.received.at(-1)).toBe("end");
  expect(() => tail.follow(NOOR, {}, open.open)).toThrow(expect.objectContaining({ kind: "unavailable" }));
});

it("disconnects a client that does not read, and refuses a wrong query", async () => {
  const { clock, tail } = startTail();
  const slow = createReader(256 * 1024 + 1);
  tail.follow(NOOR, {}, slow.open);
  await clock.advance(32_000);
  expect(slow.received.at(-1)).toBe("cut");
  expect(() => tail.follow(NOOR, { query: "nothing:x" }, slow.open)).toThrow(
    expect.objectContaining({ field: "query" }),
  );
});

it("sends nothing without a database, because the showcase has no new logs", async () => {
  const { clock, tail, ingest, windows } = startTail(false);
  const { received, open } = createReader();
  tail.follow(NOOR, {}, open);
  await clock.advance(1000);
  ingest(1);
  await clock.advance(10_000);
  expect([received, windows]).toEqual([[": following\n\n"], []]);
});
