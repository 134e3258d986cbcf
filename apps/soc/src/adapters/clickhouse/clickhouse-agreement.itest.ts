import process from "node:process";
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import type { Condition, Field, Pattern } from "@kit/query/condition";
import { FIELD_KINDS, isLogField } from "@kit/query/log-field";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { arbitraryCondition, arbitraryLog, TEXTS } from "../../../testing/fixtures/arbitrary-conditions.ts";
import { lacksPublicData, readPublic } from "../../../testing/fixtures/public-data.ts";
import { startLogStore } from "../../../testing/servers/log-engine.ts";
import { toLog } from "../../logs/normalise/normalise.ts";
import { toSql } from "../../logs/query/condition-sql.ts";
import { toPredicate } from "../../logs/query/predicate.ts";
import type { LogEvent } from "../../ports/log-event.ts";

const lacksEvents = lacksPublicData("otrf-events-60k.ndjson.gz");
const isFull = process.env.PROVE === "full";
const numRuns = isFull ? 3000 : 200;
const everyEvent = isFull ? 1 : 40;
const everyName = isFull ? 1 : 8;
const BATCH = 2000;
const MINUTES = 60_000;

type TestEngine = Awaited<ReturnType<typeof hold>>;

/** A separate log store with these logs, queried through the official client. */
async function hold(logs: readonly LogEvent[]) {
  const { engine, store, stop } = await startLogStore({ retentionDays: 20_000 });
  const client: ClickHouseClient = createClient({
    url: engine.url,
    http_agent: engine.agent,
    keep_alive: { idle_socket_ttl: 0 },
    log: { level: ClickHouseLogLevel.OFF },
  });
  for (let at = 0; at < logs.length; at += BATCH) {
    await store.insert(logs.slice(at, at + BATCH), { token: String(at) });
  }
  return {
    /** The logs that match, by SQL and by predicate. */
    async findIds(asked: Condition): Promise<{ sql: string[]; predicate: string[] }> {
      const { sql, parameters } = toSql(asked);
      const answer = await client.query({
        query: `SELECT id FROM logs WHERE ${sql} ORDER BY id`,
        query_params: { ...parameters },
        format: "JSONEachRow",
      });
      const rows = await answer.json<{ id: string }>();
      return { sql: rows.map(({ id }) => id), predicate: logs.filter(toPredicate(asked)).map(({ id }) => id) };
    },
    stop: async () => {
      await client.close();
      await stop();
    },
  };
}

function around(text: string): Pattern {
  return [{ wildcard: "any" }, { text }, { wildcard: "any" }];
}

// The second is the value that Sysmon writes for `Keywords`. The engine accepts only the last two as numbers.
const LARGE = [2 ** 63, -(2 ** 63), 2 ** 64, 1e20, 999_999_999_999_999_900_000, 1e21, -(2 ** 70)];

describe("through the official client, SQL and predicate", () => {
  const sampled = fc.sample(arbitraryLog, { numRuns: 600, seed: 20_261_115 });
  const large = fc.sample(arbitraryLog, { numRuns: LARGE.length, seed: 63 }).map((log, at) => {
    const value = LARGE[at] ?? 0;
    return { ...log, attributes: { a: value, b: [value, "a"], "c d": { e: value } } };
  });
  const logs: LogEvent[] = [...sampled, ...large].map((log, at) => ({ id: String(at).padStart(4, "0"), ...log }));
  let held: TestEngine;

  beforeAll(async () => {
    held = await hold(logs);
  });
  afterAll(() => held.stop());

  async function agree(asked: Condition, label?: string): Promise<number> {
    const { sql, predicate } = await held.findIds(asked);
    expect(sql, label).toEqual(predicate);
    return predicate.length;
  }

  it("match the same logs", async () => {
    expect(await agree({ kind: "all" })).toBe(logs.length);
  });

  it.each<[string, (text: string) => Condition]>([
    ["within a column", (text) => ({ kind: "text", field: { name: "host" }, pattern: around(text), isCased: false })],
    ["as a user", (text) => ({ kind: "text", field: { name: "user" }, pattern: [{ text }], isCased: false })],
    [
      "within an attribute",
      (text) => ({ kind: "text", field: { attribute: ["a"] }, pattern: around(text), isCased: true }),
    ],
    ["among words", (text) => ({ kind: "words", words: [text] })],
    ["not among words", (text) => ({ kind: "not", of: { kind: "words", words: [text] } })],
  ])("agree on every hostile text %s", { timeout: 3 * MINUTES }, async (_, toCondition) => {
    for (const text of TEXTS) await agree(toCondition(text), text);
  });

  it.each(LARGE)("agree on how %d is formatted and compared", async (value) => {
    const spelled = String(value).replace("e+", "e");
    for (const attribute of [["a"], ["b"], ["c d", "e"]]) {
      const field: Field = { attribute };
      expect(await agree({ kind: "text", field, pattern: [{ text: spelled }], isCased: true })).toBeGreaterThan(0);
      expect(await agree({ kind: "number", field, comparison: "eq", value })).toBeGreaterThan(0);
      await agree({ kind: "number", field, comparison: "lt", value });
    }
  });

  it("agree on every hit of any condition", { timeout: 15 * MINUTES }, async () => {
    let informative = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryCondition, async (asked) => {
        const hits = await agree(asked);
        if (hits > 0 && hits < logs.length) informative += 1;
      }),
      { numRuns },
    );
    // A condition that matches no log or every log would prove nothing.
    expect(informative).toBeGreaterThan(numRuns / 4);
  });
});

it.skipIf(lacksEvents)("agrees on every field of public events", { timeout: 25 * MINUTES }, async () => {
  const lines = readPublic("otrf-events-60k.ndjson.gz").toString("utf8").trim().split("\n");
  const logs = lines.filter((_, at) => at % everyEvent === 0).map(parseLog);
  const held = await hold(logs);
  const attributes = [...new Set(logs.flatMap((log) => namesIn(log.attributes)))].filter(
    (_, at) => at % everyName === 0,
  );
  const fields: Field[] = [
    ...Object.keys(FIELD_KINDS)
      .filter(isLogField)
      .map((name) => ({ name })),
    ...attributes.map((name) => ({ attribute: name.split(".") })),
  ];
  let hits = 0;
  for (const [at, field] of fields.entries()) {
    for (const asked of conditionsOn(field, at)) {
      const { sql, predicate } = await held.findIds(asked);
      expect(sql, JSON.stringify(asked)).toEqual(predicate);
      hits += predicate.length;
    }
  }
  await held.stop();
  console.log({ logs: logs.length, fields: fields.length, hits });
  expect(hits).toBeGreaterThan(fields.length);
});

function parseLog(line: string, at: number): LogEvent {
  const event = JSON.parse(line);
  const id = String(at).padStart(6, "0");
  const log = toLog(event, { id, ingested_at: "2026-05-01T00:00:00.000Z", site: "", raw: line });
  // The whole event, including values that have their own column and values that the store formats differently.
  return { ...log, attributes: event };
}

function conditionsOn(field: Field, turn: number): Condition[] {
  const all: Condition[] = [
    { kind: "exists", field },
    { kind: "text", field, pattern: around("E"), isCased: false },
    { kind: "number", field, comparison: "ge", value: 4 },
    { kind: "text", field, pattern: around("-92233"), isCased: true },
  ];
  return "name" in field ? all : all.filter((_, place) => place === turn % all.length);
}

function namesIn(holder: object, before: readonly string[] = []): string[] {
  return Object.entries(holder).flatMap(([name, value]) => {
    const path = [...before, name];
    const isHolder = typeof value === "object" && value !== null && !Array.isArray(value);
    return isHolder ? namesIn(value, path) : [path.join(".")];
  });
}
