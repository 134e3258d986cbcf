import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleLog } from "../../testing/servers/log-engine.ts";
import { type StartedLogStores, startLogStores } from "../../testing/servers/log-stores.ts";
import { ALL_SITES } from "../foundation/caller/caller.ts";
import { toSql } from "../logs/query/condition-sql.ts";
import type { LogEvent } from "../ports/log-event.ts";
import type { LogSelection, LogStore } from "../ports/log-store.ts";

const clock = createClock();
const PARTITIONS = 12;

function day(sql: string, parameters: Record<string, unknown> = {}): LogSelection {
  const [from, to] = [new Date("2026-11-15T00:00:00Z"), new Date("2026-11-16T00:00:00Z")];
  return { scope: ALL_SITES, where: { sql, parameters }, time: "timestamp", from, to };
}

const ofSource = (source: string) => day("source = {source:String}", { source });
const toIds = (logs: readonly LogEvent[]) => logs.map(({ id }) => id);

/** Each engine is a process, so a normal build starts fewer. */
const COUNTS = process.env.PROVE === "full" ? [1, 2, 5] : [3];

describe.each(COUNTS)("with %i engines", (count) => {
  let started: StartedLogStores;
  let store: LogStore;

  beforeAll(async () => {
    started = await startLogStores(count);
    ({ store } = started);
  }, 120_000);
  afterAll(() => started.stop());

  const search = (selection: LogSelection) => store.search({ ...selection, order: "oldest", limit: 1000 });

  /** Neighbours are in different batches of different partitions. */
  async function spread(logs: readonly LogEvent[], token: string): Promise<void> {
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const batch = logs.filter((_, place) => place % PARTITIONS === partition);
      await store.insert(batch, { token: `${token} ${partition}`, partition });
    }
  }

  describe("a log", () => {
    it("reads a log back unchanged", async () => {
      const log = sampleLog({
        id: "it's \\ 1",
        timestamp: "2026-11-15T08:00:00.123Z",
        ingested_at: "2026-11-15T09:59:59.999Z",
        site: "harbour",
        source: "whole",
        host: "DC-1\n",
        severity: "critical",
        event_code: "4625",
        action: "logon",
        outcome: "failure",
        user: "مدير'\"",
        src_ip: "10.0.0.1",
        dst_ip: "2001:db8::1",
        src_port: 65_535,
        dst_port: 1,
        process: "C:\\Windows\\n.exe",
        message: "a\tb\u0000c 🎉 \\N {x:String}",
        raw: '{"a":"\\u0000"}',
        attributes: { text: "2020-01-01", moment: "2020-01-01T10:00:00Z", digits: "12", n: -3, f: 1.5, yes: true },
      });
      await store.insert([log], { token: "whole" });
      expect(await search(ofSource("whole"))).toEqual([log]);
    });

    it("keeps attributes of any shape", async () => {
      const shapes: Record<string, unknown>[] = [
        { list: [1, "a", 2.5, true, { k: [1] }], empty: [] },
        { same: 1 },
        { same: "one" },
        { same: [1] },
        { same: { x: 1 } },
        { "": 1, "sp ace": { "qu'o\"te`\\": 1 } },
        { deep: { a: { b: { c: { d: [[1], [2]] } } } } },
        { json: '{"a":1}', list: "[1,2]" },
        JSON.parse('{"__proto__":{"polluted":true}}'),
      ];
      const logs = shapes.map((attributes, turn) => sampleLog({ id: `shape-${turn}`, source: "shapes", attributes }));
      await store.insert(logs, { token: "shapes" });
      const found = await search(ofSource("shapes"));
      expect(found.map(({ attributes }) => attributes)).toEqual(shapes);
    });

    it("stores a log although the engine would refuse its text or numbers", async () => {
      const attributes = {
        half: "\ud800x",
        big: 1e20,
        "key\udc00": [2 ** 64],
        inner: { minus: -(2 ** 63), far: 2 ** 70 },
      };
      await store.insert([sampleLog({ id: "care", source: "care", message: "half \udfff", attributes })], {
        token: "care",
      });
      const [log] = await search(ofSource("care"));
      expect(log?.message).toBe("half \ufffd");
      expect(log?.attributes).toEqual({
        half: "\ufffdx",
        big: "100000000000000000000",
        "key\ufffd": ["18446744073709552000"],
        inner: { minus: "-9223372036854776000", far: 2 ** 70 },
      });
    });

    it("stores a log with a large integer although its text is well-formed", async () => {
      // The value that Sysmon writes, which has 19 digits.
      const attributes = { Keywords: -9_223_372_036_854_776_000, below: 2 ** 63 - 1024, digits: "9223372036854775808" };
      await store.insert([sampleLog({ id: "sysmon", source: "sysmon", attributes })], { token: "sysmon" });
      const [log] = await search(ofSource("sysmon"));
      expect(log?.attributes).toEqual({ ...attributes, Keywords: "-9223372036854776000" });
    });

    it.each([["9999-12-31T23:59:59.999Z"], ["1601-01-01T00:00:00.000Z"], ["1969-12-31T23:59:59.999Z"]])(
      "keeps the wrong date %s",
      async (timestamp) => {
        await store.insert([sampleLog({ id: timestamp, source: "dates", timestamp })], { token: timestamp });
        const where = { sql: "id = {id:String}", parameters: { id: timestamp } };
        const [from, to] = [new Date("2026-11-15T00:00:00Z"), new Date("2026-11-16T00:00:00Z")];
        const found = await store.search({
          scope: ALL_SITES,
          where,
          time: "ingested_at",
          from,
          to,
          order: "newest",
          limit: 1,
        });
        expect(found.map((log) => log.timestamp)).toEqual([timestamp]);
      },
    );

    it.each([
      [{ src_port: 70_000 }, "batch[1].src_port: must be an integer from 0 to 65535"],
      [{ dst_port: 1.5 }, "batch[1].dst_port: must be an integer from 0 to 65535"],
      [{ timestamp: "yesterday" }, "batch[1].timestamp: must be an instant in UTC with milliseconds"],
      [
        { ingested_at: "2026-02-31T25:00:00.000Z" },
        "batch[1].ingested_at: must be an instant in UTC with milliseconds",
      ],
      [JSON.parse('{"severity":"odd"}'), "batch[1].severity: must be one of critical, high, medium, low, info"],
      [JSON.parse('{"attributes":[1]}'), "batch[1]: cannot be stored"],
    ])("refuses a log with its position in the batch: %j", async (wrong, detail) => {
      const batch = [
        sampleLog({ id: "good", source: "refused" }),
        sampleLog({ id: "bad", source: "refused", ...wrong }),
      ];
      const inserting = store.insert(batch, { token: `refused ${detail}` });
      await expect(inserting).rejects.toMatchObject({ name: "Problem", kind: "invalid", message: detail });
      expect(await store.count(ofSource("refused"), 10)).toBe(0);
    });
  });

  describe("a batch", () => {
    const batch = (source: string, from: number) =>
      Array.from({ length: 500 }, (_, n) => sampleLog({ id: `${source}-${from + n}`, source }));

    it("writes a batch once however often it is sent with the same token", async () => {
      const sent = batch("retried", 0);
      await store.insert(sent, { token: "retried-1" });
      await Promise.all([1, 2, 3].map(() => store.insert(sent, { token: "retried-1" })));
      expect(await store.count(ofSource("retried"), 10_000)).toBe(500);
    });

    it("identifies a batch by its token and not by its content", async () => {
      const [first] = batch("stamped", 0);
      if (!first) throw new Error("no log");
      await store.insert([first], { token: "stamped-1" });
      await store.insert([{ ...first, ingested_at: "2026-11-15T09:00:09.000Z" }], { token: "stamped-1" });
      expect(await store.count(ofSource("stamped"), 10)).toBe(1);
      await store.insert([first], { token: "stamped-2" });
      expect(await store.count(ofSource("stamped"), 10)).toBe(2);
    });

    it("writes a batch if it follows one with another token", async () => {
      await store.insert(batch("other", 0), { token: "12345" });
      await store.insert(batch("other", 500), { token: "it's 2" });
      await store.insert(batch("other", 1000), { token: "3" });
      expect(await store.count(ofSource("other"), 10_000)).toBe(1500);
    });

    it("counts a retried batch once in the statistics", async () => {
      const sent = batch("counted", 0);
      for (let turn = 0; turn < 3; turn += 1) await store.insert(sent, { token: "counted" });
      expect((await store.sources()).find(({ source }) => source === "counted")?.events).toBe(500);
    });

    it("writes a batch once even if it spans several days", async () => {
      const sent = batch("days", 0).map((log, n) => ({ ...log, ingested_at: `2026-11-${10 + (n % 5)}T00:00:00.000Z` }));
      await store.insert(sent, { token: "days" });
      await store.insert(sent, { token: "days" });
      expect(await store.count(ofSource("days"), 10_000)).toBe(500);
    });

    it("refuses a batch that is too long", async () => {
      const long = Array.from({ length: 50_001 }, () => sampleLog({ id: "x" }));
      await expect(store.insert(long, { token: "long" })).rejects.toMatchObject({
        kind: "invalid",
        message: /^batch: /,
      });
    });
  });

  describe("a search", () => {
    beforeAll(async () => {
      const logs = Array.from({ length: 300 }, (_, n) =>
        sampleLog({
          id: `page-${String(n).padStart(3, "0")}`,
          source: "paged",
          // Three logs share each instant.
          timestamp: new Date(Date.UTC(2026, 10, 15, 10) + Math.floor(n / 3) * 1000).toISOString(),
          message: n % 10 === 0 ? `session ${n} FAILED for Root7 of Ärger` : `session ${n} opened`,
        }),
      );
      await spread(logs, "paged");
    });

    it.each(["newest", "oldest"] as const)("returns each log once across its pages, %s first", async (order) => {
      const seen: string[] = [];
      let after: LogEvent | undefined;
      do {
        const page: LogEvent[] = await store.search({ ...ofSource("paged"), order, limit: 7, ...(after && { after }) });
        seen.push(...toIds(page));
        after = page.length === 7 ? page.at(-1) : undefined;
      } while (after);
      const all = Array.from({ length: 300 }, (_, n) => `page-${String(n).padStart(3, "0")}`);
      expect(seen).toEqual(order === "oldest" ? all : all.toReversed());
    });

    it("skips rows and stops at its limit", async () => {
      const paged = { ...ofSource("paged"), order: "oldest" as const };
      expect(toIds(await store.search({ ...paged, limit: 2, skip: 5 }))).toEqual(["page-005", "page-006"]);
      const [from, to] = [new Date("2026-11-15T10:00:00Z"), new Date("2026-11-15T10:00:01Z")];
      expect(toIds(await store.search({ ...paged, from, to, limit: 9 }))).toEqual(["page-000", "page-001", "page-002"]);
    });

    it.each(["failed root7", "FAILED root7", "Root7 session"])(
      "finds the words '%s' case-insensitively",
      async (words) => {
        const found = toSql({ kind: "words", words: [words] });
        const selection = day(`source = 'paged' AND ${found.sql}`, found.parameters);
        expect(await store.search({ ...selection, order: "newest", limit: 50 })).toHaveLength(30);
        expect(await store.count(selection, 1000)).toBe(30);
        let streamed = 0;
        for await (const block of store.stream({ ...selection, order: "newest", limit: 1000 }))
          streamed += block.length;
        expect(streamed).toBe(30);
      },
    );

    it.each([
      [["process", "name"], "C:\\Windows\\it's.exe"],
      [["sp ace", "quo`te"], "a\tb"],
      [["it's"], "%_"],
      [["back\\slash"], "{p0:String}"],
    ])("binds the attribute %j and its value as the query language writes them", async (attribute, text) => {
      const attributes = attribute.reduceRight<unknown>((inner, name) => ({ [name]: inner }), text);
      const log = { ...sampleLog({ id: text, source: "attributes" }), attributes: Object(attributes) };
      await store.insert([log], { token: `attribute ${text}` });
      const where = toSql({ kind: "text", field: { attribute }, pattern: [{ text }], isCased: true });
      expect(await search({ ...day("true"), where })).toEqual([log]);
    });

    it.each(["newest", "oldest"] as const)(
      "returns the same logs in large pages as in small ones, %s first",
      async (order) => {
        // Seven logs at each instant, so that a page ends among logs of one instant.
        const logs = Array.from({ length: 3500 }, (_, n) =>
          sampleLog({
            id: `large-${String(n).padStart(4, "0")}`,
            source: "large",
            timestamp: new Date(Date.UTC(2026, 10, 15) + Math.floor(n / 7) * 1000).toISOString(),
          }),
        );
        await spread(logs, "large");
        const asked = { ...ofSource("large"), order };
        const expected = order === "oldest" ? toIds(logs) : toIds(logs).toReversed();
        const first = await store.search({ ...asked, limit: 1503 });
        const last = first.at(-1);
        const second = await store.search({ ...asked, limit: 10_000, ...(last && { after: last }) });
        expect([...toIds(first), ...toIds(second)]).toEqual(expected);
        expect(toIds(await store.search({ ...asked, limit: 1200, skip: 1000 }))).toEqual(expected.slice(1000, 2200));
        expect(await store.search({ ...ofSource("absent"), order, limit: 5000 })).toEqual([]);
      },
    );

    it("stops counting at the given maximum", async () => {
      expect(await store.count(ofSource("paged"), 1000)).toBe(300);
      expect(await store.count(ofSource("paged"), 299)).toBe(299);
    });

    it.each([
      [{ limit: 0 }, /^limit: /],
      [{ limit: 10_001 }, /^limit: /],
      [{ skip: -1 }, /^skip: /],
      [{ to: new Date("2026-11-15T00:00:00Z") }, /^from: /],
      [{ after: { id: "x", timestamp: "junk", ingested_at: "junk" } }, /^cursor: /],
    ])("refuses %j", async (wrong, message) => {
      const searching = store.search({ ...ofSource("paged"), order: "newest", limit: 10, ...wrong });
      await expect(searching).rejects.toMatchObject({ kind: "invalid", message });
    });

    it("refuses a regular expression that the engine cannot use", async () => {
      const searching = search(day("match(message, {pattern:String})", { pattern: "(" }));
      await expect(searching).rejects.toMatchObject({ kind: "invalid", message: /^query: / });
    });

    it("rejects with the caller's abort reason", async () => {
      const gone = new AbortController();
      const slow = day("arrayCount(x -> sipHash64(x, id) = 1, range(200000)) = 0");
      const searching = store.search({ ...slow, order: "newest", limit: 10 }, gone.signal);
      const refused = expect(searching).rejects.toThrow("left");
      await clock.sleep(100);
      gone.abort(new Error("left"));
      await refused;
    });
  });

  describe("statistics", () => {
    it("counts the stored logs", async () => {
      const fresh = await startLogStores(count);
      const now = new Date("2026-11-15T12:00:00Z");
      const at = (agoMs: number, more: Partial<LogEvent> = {}): LogEvent => {
        const ingested_at = new Date(now.getTime() - agoMs).toISOString();
        const timestamp = new Date(now.getTime() - agoMs - 2500).toISOString();
        return sampleLog({ id: `${agoMs}-${more.source}`, ingested_at, timestamp, ...more });
      };
      await fresh.store.insert([at(1000), at(30_000, { severity: "high" }), at(59_000, { source: "b" })], {
        token: "1",
      });
      await fresh.store.insert([at(3_600_000, { source: "b", severity: "high" }), at(90_000_000)], { token: "2" });
      expect(await fresh.store.stats(now)).toEqual({
        total_events: 5,
        events_24h: 4,
        events_per_second: 3 / 60,
        by_severity: { critical: 0, high: 2, medium: 0, low: 0, info: 3 },
        by_source: { test: 3, b: 2 },
        ingest_lag_s: 2.5,
        storage_bytes: expect.any(Number),
      });
      expect(await fresh.store.sources()).toEqual([
        { source: "test", events: 3, first_seen: "2026-11-14T10:59:57.500Z", last_seen: "2026-11-15T11:59:56.500Z" },
        { source: "b", events: 2, first_seen: "2026-11-15T10:59:57.500Z", last_seen: "2026-11-15T11:58:58.500Z" },
      ]);
      await fresh.stop();
    });
  });

  describe("a stream", () => {
    const total = 12_000;
    const everything = { ...ofSource("export"), order: "oldest" as const, limit: 1_000_000 };

    beforeAll(async () => {
      const logs = Array.from({ length: total }, (_, n) => {
        // A third of the logs share one instant, as from a device without a clock.
        const timestamp = new Date(Date.UTC(2026, 10, 15, 1) + (n % 3 === 0 ? 0 : n * 7)).toISOString();
        return sampleLog({ id: `export-${n}`, source: "export", timestamp, ingested_at: timestamp });
      });
      await spread(logs, "export");
    });

    it.each(["newest", "oldest"] as const)(
      "returns each log once and in order, %s first, up to its limit",
      async (order) => {
        const ids: string[] = [];
        const times: string[] = [];
        for await (const block of store.stream({ ...everything, order, limit: total / 2 + 1 })) {
          ids.push(...toIds(block));
          times.push(...block.map(({ timestamp }) => timestamp));
        }
        expect(new Set(ids).size).toBe(total / 2 + 1);
        expect(times).toEqual(order === "oldest" ? times.toSorted() : times.toSorted().toReversed());
        const [first] = await store.search({ ...everything, order, limit: 1 });
        expect(ids[0]).toBe(first?.id);
        const last = { ...everything, order, limit: 1, skip: total / 2 };
        expect(ids.at(-1)).toBe((await store.search(last))[0]?.id);
      },
    );

    it("returns all logs that were ingested in a window once, oldest first", async () => {
      const window = { from: new Date("2026-11-15T01:00:00Z"), to: new Date("2026-11-15T01:00:30Z") };
      const expected = Array.from({ length: total }, (_, n) => n).filter((n) => n % 3 === 0 || n * 7 < 30_000);
      const read: LogEvent[] = [];
      for await (const block of store.lane("stream").read(window)) read.push(...block);
      const times = read.map(({ ingested_at }) => ingested_at);
      expect(times).toEqual(times.toSorted());
      expect(toIds(read).toSorted()).toEqual(expected.map((n) => `export-${n}`).toSorted());
    });

    it("ends a stream in all engines when its reader stops or aborts", async () => {
      for await (const block of store.stream(everything)) {
        expect(block.length).toBeLessThan(total);
        break;
      }
      const gone = new AbortController();
      const reading = (async () => {
        for await (const _ of store.stream(everything, gone.signal)) gone.abort(new Error("left"));
      })();
      await expect(reading).rejects.toThrow("left");
    });
  });
});
