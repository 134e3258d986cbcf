import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from "@clickhouse/client";
import type { Condition } from "@kit/query/condition";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import { toSql } from "../../logs/query/condition-sql.ts";
import { toPredicate } from "../../logs/query/predicate.ts";
import { buildLogCondition } from "../../logs/search/log-selection.ts";
import { LOG_SEVERITIES, type LogEvent } from "../../ports/log-event.ts";

// The engine reads granules of 8,192 rows.
const ROWS = 50_000;
const GRANULES = 6;
const NOW = new Date("2026-11-15T12:00:00.000Z");
const START_MS = Date.UTC(2026, 10, 15, 9);

/** In the sort order of the table, with the rare values in one place. */
function logAt(n: number): LogEvent {
  const isRare = n === 30_000;
  return sampleLog({
    id: isRare ? "0198abcd-ef01" : `0190-${n.toString(16)}`,
    timestamp: new Date(START_MS + n).toISOString(),
    source: n < 10_000 ? "Alpha" : "beta",
    severity: isRare ? "critical" : (LOG_SEVERITIES[3 + (n % 2)] ?? "info"),
    host: isRare ? "DC-Rare" : `host${n % 300}`,
    user: isRare ? "Ümit" : `user${n % 900}`,
    src_ip: isRare ? "2001:DB8::7" : `10.0.${n % 200}.1`,
    dst_ip: isRare ? "192.0.2.77" : `10.1.${n % 200}.1`,
    message: isRare ? "Logon FAILED for Root7" : `session ${n % 500} opened`,
    raw: isRare ? '{"event":"Seen rarely"}' : "",
  });
}

const format = "JSONEachRow";
const logs = Array.from({ length: ROWS }, (_, n) => logAt(n));
let client: ClickHouseClient;
let stop: () => Promise<void>;

beforeAll(async () => {
  const started = await startLogStore();
  const { url, agent } = started.engine;
  const keep_alive = { idle_socket_ttl: 0 };
  client = createClient({ url, http_agent: agent, keep_alive, log: { level: ClickHouseLogLevel.OFF } });
  stop = async () => {
    await client.close();
    await started.stop();
  };
  await started.store.insert(logs, { token: "all" });
});
afterAll(() => stop());

const quoteAll = (texts: string | readonly string[]) =>
  [texts]
    .flat()
    .map((text) => `'${text}'`)
    .join(",");

/** Returns how many granules remain to be read after the last index. */
async function granulesLeft(condition: Condition): Promise<number> {
  const { sql, parameters } = toSql(condition);
  // The engine's process binds parameters only for a SELECT.
  const written = sql
    .replaceAll(/\{(\w+):String\}/g, (_, name: string) => quoteAll(parameters[name] ?? ""))
    .replaceAll(/\{(\w+):Array\(String\)\}/g, (_, name: string) => `[${quoteAll(parameters[name] ?? [])}]`);
  const answer = await client.query({ query: `EXPLAIN indexes = 1 SELECT id FROM logs WHERE ${written}`, format });
  const plan = await answer.json<{ explain: string }>();
  const left = plan.flatMap(({ explain }) => /^\s*Granules: (\d+)\/\d+/.exec(explain)?.slice(1).map(Number) ?? []);
  return left.at(-1) ?? Number.NaN;
}

async function findIds(condition: Condition, clickhouse_settings: ClickHouseSettings = {}): Promise<string[]> {
  const { sql, parameters } = toSql(condition);
  const query = `SELECT id FROM logs WHERE ${sql} ORDER BY id LIMIT ${ROWS}`;
  const answer = await client.query({ query, query_params: { ...parameters }, format, clickhouse_settings });
  const rows = await answer.json<{ id: string }>();
  return rows.map(({ id }) => id);
}

const asked = (query: string) => buildLogCondition({ query }, NOW);

describe("an index", () => {
  it("skips no granule without a condition", async () => {
    expect(await granulesLeft({ kind: "all" })).toBeGreaterThanOrEqual(GRANULES);
  });

  it.each<[string, Condition, number]>([
    ["the filter source", buildLogCondition({ source: "ALPHA" }, NOW), 2],
    ["the filter host", buildLogCondition({ host: "dc-rare" }, NOW), 1],
    ["the filter severity", buildLogCondition({ severity: "critical" }, NOW), 1],
    ["source in a query", asked('source:"alpha"'), 2],
    ["source with a wildcard", asked("source:alp*"), 2],
    ["host in a query", asked("host:DC-RARE"), 1],
    ["severity in a query", asked("severity:critical"), 1],
    ["user without regard to case, beyond ASCII too", asked("user:üMIT"), 1],
    [
      "user with regard to case",
      { kind: "text", field: { name: "user" }, pattern: [{ text: "Ümit" }], isCased: true },
      1,
    ],
    ["src_ip of version 6", asked('src_ip:"2001:db8::7"'), 1],
    ["dst_ip of version 4", asked("dst_ip:192.0.2.77"), 1],
    [
      "id as it stands",
      { kind: "text", field: { name: "id" }, pattern: [{ text: "0198abcd-ef01" }], isCased: true },
      1,
    ],
    ["id in a query", asked("id:0198ABCD-ef01"), 1],
    ["words", asked("failed ROOT7"), 1],
    ["words that only the raw event has", asked("rarely"), 1],
    ["words of the message", asked("message:root7"), 1],
    ["words and a filter", buildLogCondition({ query: "failed", host: "dc-rare" }, NOW), 1],
  ])("skips granules that cannot match: %s", async (_, condition, granules) => {
    const wanted = logs.filter(toPredicate(condition)).map(({ id }) => id);
    expect(wanted.length).toBeGreaterThan(0);
    expect(await findIds(condition)).toEqual(wanted.toSorted());
    expect(await granulesLeft(condition)).toBeLessThanOrEqual(granules);
  });

  it.each<ClickHouseSettings>([
    {},
    { use_skip_indexes: 0 },
    { use_top_k_dynamic_filtering: 1 },
    { query_plan_direct_read_from_text_index: 0 },
  ])("does not change which words are found with %j", async (settings) => {
    expect(await findIds(asked("FAILED root7"), settings)).toEqual(["0198abcd-ef01"]);
    const others = { kind: "and", of: [asked("host:dc-rare"), { kind: "not", of: asked("FAILED root7") }] } as const;
    expect(await findIds(others, settings)).toEqual([]);
  });
});
