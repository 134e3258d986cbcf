import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { createClickhouseLogStore } from "../../src/adapters/clickhouse/clickhouse.ts";
import { buildSummaryQuestion, type Question } from "../../src/adapters/clickhouse/clickhouse-questions.ts";
import { ALL_SITES } from "../../src/foundation/caller/caller.ts";
import { createLogSummariesStore } from "../../src/logs/log-summaries/log-summaries.store.ts";
import { requireGroupField } from "../../src/logs/log-summaries/metric.ts";
import { buildLogSelection } from "../../src/logs/search/log-selection.ts";
import type { LogSummary } from "../../src/ports/log-store.ts";
import { signIn } from "../harness/sample-world.ts";
import { wholePlatform } from "../harness/whole-platform.ts";
import { freshDatabase } from "../servers/fresh-database.ts";
import { startLogEngine } from "../servers/log-engine.ts";
import { startBareEngine } from "./bare-log-engine.ts";
import { computeFigures, inWords, print } from "./figures.ts";
import { FILLED_DAY, fillEngine } from "./filled-engine.ts";

const { BENCH_ROWS = "100000" } = process.env;
const rows = Number(BENCH_ROWS);
const isFull = rows >= 10_000_000;
const TURNS = isFull ? 40 : 5;
const WARM_UP = 2;
const MAX_RATIO = 1.5;
const HOUR_MS = 60 * 60_000;
const FIELDS = ["severity", "source", "host", "user", "event_code"];
const SETTINGS = "SETTINGS max_execution_time = 20";
const clock = createClock();

interface BenchRequest {
  path: string;
  maxMs: number;
  /** The bare engine's query for the same result; undefined for a route with several queries. */
  sql?: (window: { from: string; to: string }) => Question;
}

/** Records the statement that the store sends. */
function recordQuestion(ask: (store: ReturnType<typeof createLogSummariesStore>) => Promise<unknown>): Question {
  const asked: Question[] = [];
  const summarise = async <Row, Part>(summary: LogSummary<Row, Part>): Promise<Row[] | undefined> => {
    asked.push(buildSummaryQuestion(summary));
    return undefined;
  };
  void ask(createLogSummariesStore({ summarise }));
  const [question] = asked;
  if (!question) throw new Error("the store sent no query");
  return question;
}

const select = (window: { from: string; to: string }) => buildLogSelection(ALL_SITES, window, clock.now());
const BOUND = { maxSeconds: 20 };
const histogram: BenchRequest["sql"] = (window) => {
  const selection = select(window);
  const widthMs = selection.to.getTime() - selection.from.getTime() > HOUR_MS ? HOUR_MS / 2 : 60_000 * 5;
  const wanted = { selection, originMs: selection.from.getTime(), widthMs, by: "severity" } as const;
  return recordQuestion((store) => store.histogram(wanted, BOUND));
};
const facets: BenchRequest["sql"] = (window) => {
  const fields = FIELDS.map((name) => requireGroupField("fields", name));
  return recordQuestion((store) => store.facets({ selection: select(window), fields, limit: 10 }, BOUND));
};

const ROUTES: Readonly<Record<string, { spanMs: number } & BenchRequest>> = {
  "histogram of an hour": { path: "logs/histogram", spanMs: HOUR_MS, maxMs: 300, sql: histogram },
  "histogram of a day": { path: "logs/histogram", spanMs: 24 * HOUR_MS, maxMs: 1000, sql: histogram },
  "facets of an hour": { path: `logs/facets?fields=${FIELDS.join()}`, spanMs: HOUR_MS, maxMs: 300, sql: facets },
  "facets of a day": { path: `logs/facets?fields=${FIELDS.join()}`, spanMs: 24 * HOUR_MS, maxMs: 1000, sql: facets },
  "hosts by prefix, an hour": { path: "fields/host/values?prefix=host1", spanMs: HOUR_MS, maxMs: 100 },
  "hosts by prefix, a day": { path: "fields/host/values?prefix=host1", spanMs: 24 * HOUR_MS, maxMs: 100 },
  "fields of an hour": { path: "fields", spanMs: HOUR_MS, maxMs: 1500 },
};

type Route = (typeof ROUTES)[string];

interface Measurement {
  api: number[];
  bare: number[];
  partial: number;
}

function windowAt(spanMs: number, turn: number) {
  const startMs = FILLED_DAY.startMs + (spanMs > HOUR_MS ? 0 : (turn % 23) * HOUR_MS);
  return { from: new Date(startMs).toISOString(), to: new Date(startMs + spanMs).toISOString() };
}

/** Queries the bare engine and the route alternately, so that other load affects both. */
async function measure(
  { path, spanMs, sql }: Route,
  bare: ReturnType<typeof startBareEngine>,
  get: (url: string) => Promise<{ is_partial: boolean }>,
): Promise<Measurement> {
  const measured: Measurement = { api: [], bare: [], partial: 0 };
  for (let turn = 0; turn < WARM_UP + TURNS; turn += 1) {
    const window = windowAt(spanMs, turn);
    const question = sql?.(window);
    const text = `${question?.sql} FORMAT JSONEachRow ${SETTINGS}`;
    const alone = question && (await bare.ask({ kind: "select", sql: text, parameters: question.parameters ?? {} }));
    const url = `/api/v1/siem/${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(window)}`;
    const beganMs = clock.monotonicMs();
    const { is_partial } = await get(url);
    const apiMs = clock.monotonicMs() - beganMs;
    if (turn < WARM_UP) continue;
    measured.api.push(apiMs);
    measured.bare.push(alone?.ms ?? Number.NaN);
    measured.partial += Number(is_partial);
  }
  return measured;
}

function report(name: string, { sql, maxMs }: Route, measured: Measurement): void {
  const [api, alone] = [computeFigures(measured.api), computeFigures(measured.bare)];
  const ratio = api.p50 / alone.p50;
  const beside = sql ? `, bare ${inWords(alone)} (p50 ${ratio.toFixed(2)} times)` : "";
  const partial = `${measured.partial} of ${TURNS} partial`;
  print(`${name} in ${rows} logs, ms p50 / p95 / max: API ${inWords(api)}${beside}; ${partial}`);
  if (!isFull) return;
  expect(api.p95, name).toBeLessThanOrEqual(maxMs);
  if (sql && measured.partial === 0) expect(ratio, name).toBeLessThanOrEqual(MAX_RATIO);
}

it(`summarises ${rows} logs in time, nearly as fast as the bare engine`, { timeout: 3 * HOUR_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bench-summaries-"));
  const [ours, theirs] = [join(folder, "ours"), join(folder, "theirs")];
  await fillEngine(theirs, { rows });
  // Copy the folder, so that both sides have identical parts.
  cpSync(theirs, ours, { recursive: true });
  const { engine } = await startLogEngine({ folder: ours });
  const store = createClickhouseLogStore({ url: engine.url, agent: engine.agent, retentionDays: 36_500 });
  const bare = startBareEngine(theirs);
  const { url } = await freshDatabase();
  const platform = await wholePlatform("real", url, undefined, store);
  try {
    const headers = await signIn(platform.app);
    const get = async (url: string) => {
      const answer = await platform.app.inject({ url, headers });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json();
    };
    for (const [name, route] of Object.entries(ROUTES)) report(name, route, await measure(route, bare, get));
  } finally {
    await platform.close();
    await bare.stop();
    await store.close();
    await engine.close();
    rmSync(folder, { recursive: true });
  }
});
