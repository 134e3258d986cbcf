import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Condition, Pattern } from "@kit/query/condition";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { arbitraryCondition, arbitraryLog, TEXTS } from "../../../testing/fixtures/arbitrary-conditions.ts";
import { lacksPublicData, readPublic } from "../../../testing/fixtures/public-data.ts";
import { boxTables } from "../../adapters/clickhouse/clickhouse-tables.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { toSql } from "./condition-sql.ts";
import { toPredicate } from "./predicate.ts";

const isFull = process.env.PROVE === "full";
const numRuns = isFull ? 6000 : 400;
const everyEvent = isFull ? 1 : 20;
const PUBLIC_EVENTS = "otrf-events-60k.ndjson.gz";
const lacksEvents = lacksPublicData(PUBLIC_EVENTS);

// The embedded engine in its own process: reads one line with a statement and its parameters, writes one line with the
// result.
const ENGINE = `
const { Session } = require("chdb");
const session = new Session(process.argv[1]);
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { sql, parameters } = JSON.parse(line);
  let answer;
  try {
    const text = parameters ? session.queryBind(sql, parameters, "JSONCompactEachRow") : session.query(sql, "JSONCompactEachRow");
    answer = { rows: text.split("\\n").filter(Boolean).map((row) => JSON.parse(row)) };
  } catch (error) {
    answer = { error: String(error.message) };
  }
  process.stdout.write(JSON.stringify(answer) + "\\n");
});`;

let folder: string;
let child: ChildProcessByStdio<Writable, Readable, null>;
const waiting: ((line: string) => void)[] = [];

async function ask(sql: string, parameters?: Readonly<Record<string, unknown>>): Promise<unknown[][]> {
  const line = await new Promise<string>((resolve) => {
    waiting.push(resolve);
    child.stdin.write(`${JSON.stringify({ sql, parameters })}\n`);
  });
  const { rows, error } = JSON.parse(line);
  if (error) throw new Error(`${error}\n${sql}\n${JSON.stringify(parameters)}`);
  return rows;
}

const logs: LogEvent[] = fc
  .sample(arbitraryLog, { numRuns: 1200, seed: 20_260_501 })
  .map((each, at) => ({ id: String(at).padStart(4, "0"), ...each }));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "condition-"));
  child = spawn(process.execPath, ["-e", ENGINE, folder], { stdio: ["pipe", "pipe", "inherit"] });
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.(line));
  for (const table of boxTables(20_000)) {
    await ask(table);
    await ask(table.replace("TABLE IF NOT EXISTS logs", "TABLE IF NOT EXISTS public_logs"));
  }
  await insert("logs", logs);
});

async function insert(table: string, batch: readonly LogEvent[]): Promise<void> {
  const settings = `SETTINGS input_format_try_infer_dates = 0, input_format_try_infer_datetimes = 0,
    input_format_json_read_bools_as_numbers = 0,
    date_time_input_format = 'best_effort'`;
  const rows = batch.map((each) => JSON.stringify(each)).join("\n");
  await ask(`INSERT INTO ${table} ${settings} FORMAT JSONEachRow ${rows}`);
}

afterAll(async () => {
  child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

async function findIds(
  asked: Condition,
  from = logs,
  table = "logs",
): Promise<{ sql: unknown[]; predicate: string[] }> {
  const { sql, parameters } = toSql(asked);
  const rows = await ask(`SELECT id FROM ${table} WHERE ${sql} ORDER BY id`, parameters);
  return { sql: rows.flat(), predicate: from.filter(toPredicate(asked)).map(({ id }) => id) };
}

function around(text: string): Pattern {
  return [{ wildcard: "any" }, { text }, { wildcard: "any" }];
}

/** Returns the names of all attributes; there are more than the store keeps as separate subcolumns. */
function namesIn(holder: object, before: readonly string[] = []): string[] {
  return Object.entries(holder).flatMap(([name, value]) => {
    const path = [...before, name];
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? namesIn(value, path)
      : [path.join(".")];
  });
}

describe("SQL and predicate", () => {
  it("match the same logs", async () => {
    expect((await findIds({ kind: "all" })).sql).toHaveLength(logs.length);
  });

  it.each<[string, (text: string) => Condition]>([
    ["within a column", (text) => ({ kind: "text", field: { name: "host" }, pattern: around(text), isCased: false })],
    [
      "within an attribute",
      (text) => ({ kind: "text", field: { attribute: ["a"] }, pattern: around(text), isCased: true }),
    ],
    ["among words", (text) => ({ kind: "words", words: [text] })],
    // In this form the engine does not use its index.
    [
      "not among words",
      (text) => ({ kind: "not", of: { kind: "or", of: [{ kind: "words", words: [text] }, { kind: "none" }] } }),
    ],
  ])("agree on every hostile text %s", { timeout: 120_000 }, async (_, toCondition) => {
    for (const text of TEXTS) {
      const { sql, predicate } = await findIds(toCondition(text));
      expect(sql, text).toEqual(predicate);
    }
  });

  it("agree on every hit of any condition", { timeout: 900_000 }, async () => {
    let hits = 0;
    let informative = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryCondition, async (asked) => {
        const { sql, predicate } = await findIds(asked);
        expect(sql).toEqual(predicate);
        hits += predicate.length;
        if (predicate.length > 0 && predicate.length < logs.length) informative += 1;
      }),
      { numRuns },
    );
    // A condition that matches no log or every log would prove nothing.
    expect(informative).toBeGreaterThan(numRuns / 4);
    expect(hits).toBeGreaterThan(numRuns);
  });

  it.skipIf(lacksEvents)("agree on the attributes of public events", { timeout: 900_000 }, async () => {
    const lines = readPublic(PUBLIC_EVENTS).toString().trim().split("\n");
    const [sample] = logs;
    if (!sample) throw new Error("there must be at least one log");
    const events = lines
      .filter((_, at) => at % everyEvent === 0)
      .map((line, at): LogEvent => ({ ...sample, id: String(at).padStart(6, "0"), attributes: parseAttributes(line) }));
    for (let at = 0; at < events.length; at += 1000) await insert("public_logs", events.slice(at, at + 1000));
    const names = [...new Set(events.flatMap(({ attributes }) => namesIn(attributes)))];
    expect(names.length).toBeGreaterThan(128);
    let hits = 0;
    for (const [at, name] of names.entries()) {
      const field = { attribute: name.split(".") };
      const asked: Condition[] = [
        { kind: "exists", field },
        { kind: "text", field, pattern: around("E"), isCased: false },
        { kind: "number", field, comparison: "ge", value: 4 },
      ];
      const { sql, predicate } = await findIds(asked[at % 3] ?? { kind: "none" }, events, "public_logs");
      expect(sql, name).toEqual(predicate);
      hits += predicate.length;
    }
    expect(hits).toBeGreaterThan(names.length);
  });
});

// The store keeps integers beyond 64 bits as text.
function parseAttributes(line: string): Record<string, unknown> {
  return JSON.parse(line, (_, value: unknown) =>
    Number.isInteger(value) && Math.abs(Number(value)) >= 2 ** 63 ? String(value) : value,
  );
}
