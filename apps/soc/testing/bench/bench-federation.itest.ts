import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { ALL_SITES } from "../../src/foundation/caller/caller.ts";
import { readProcessorMs } from "../../src/foundation/health/processor-time.ts";
import { createLogSummariesStore } from "../../src/logs/log-summaries/log-summaries.store.ts";
import type { CountedFacets } from "../../src/logs/log-summaries/log-summary.ts";
import { parseMetric, requireGroupField } from "../../src/logs/log-summaries/metric.ts";
import { buildLogSelection } from "../../src/logs/search/log-selection.ts";
import { createLogsStore } from "../../src/logs/search/logs.store.ts";
import type { LogStore } from "../../src/ports/log-store.ts";
import { type StartedLogStores, startLogStores } from "../servers/log-stores.ts";
import { computeFigures, inWords, print } from "./figures.ts";
import { FILLED_DAY, fillEngine } from "./filled-engine.ts";
import { LIMIT, SEARCHES } from "./search-questions.ts";

const { BENCH_ROWS = "100000", BENCH_TURNS } = process.env;
const rows = Number(BENCH_ROWS);
const isFull = rows >= 10_000_000;
const STORES = 5;
const TURNS = Number(BENCH_TURNS ?? (isFull ? 40 : 3));
const WARM_UP = 3;
const MAX_RATIO = 1.5;
const HOUR_MS = 60 * 60_000;
const MAX_COUNT = 1_000_000;
const BOUND = { maxSeconds: 20 };
const FIELDS = ["severity", "source", "host", "user", "event_code"].map((name) => requireGroupField("fields", name));
const METRICS = ["count", "distinct:user", "max:timestamp"].map(parseMetric);
const clock = createClock();

type Question = (store: LogStore, turn: number) => Promise<unknown>;

function selectHours(hours: number, turn: number) {
  const startMs = FILLED_DAY.startMs + (hours === 1 ? (turn % 23) * HOUR_MS : 0);
  const window = { from: new Date(startMs).toISOString(), to: new Date(startMs + hours * HOUR_MS).toISOString() };
  return buildLogSelection(ALL_SITES, window, clock.now());
}

/** Reads a page like the API: the logs, and their total number. */
const searches = Object.entries(SEARCHES).map(([name, toQuery]): [string, Question] => [
  `search for ${name}`,
  async (store, turn) => {
    const selection = buildLogSelection(ALL_SITES, toQuery(turn), clock.now());
    const logs = createLogsStore(store);
    const found = await logs.search(selection, { limit: LIMIT + 1 });
    return { found, count: await logs.count(selection, MAX_COUNT) };
  },
]);

const histogram =
  (hours: number, widthMs: number): Question =>
  (store, turn) => {
    const selection = selectHours(hours, turn);
    const wanted = { selection, originMs: selection.from.getTime(), widthMs, by: "severity" } as const;
    return createLogSummariesStore(store).histogram(wanted, BOUND);
  };

const facets =
  (hours: number): Question =>
  async (store, turn) => {
    const wanted = { selection: selectHours(hours, turn), fields: FIELDS, limit: 10 };
    return cutTies(await createLogSummariesStore(store).facets(wanted, BOUND));
  };

/** It is unspecified which of several equally frequent values are returned. */
function cutTies(answer: CountedFacets | undefined) {
  return answer?.facets.map(({ values, ...facet }) => ({ ...facet, counts: values.map(({ count }) => count) }));
}

const groups: Question = (store, turn) =>
  createLogSummariesStore(store).aggregate(
    { selection: selectHours(1, turn), groupBy: FIELDS.slice(2, 3), metrics: METRICS, limit: 100 },
    BOUND,
  );

const QUESTIONS: readonly [string, Question][] = [
  ...searches,
  ["histogram of an hour", histogram(1, 5 * 60_000)],
  ["histogram of a day", histogram(24, HOUR_MS / 2)],
  ["facets of an hour", facets(1)],
  ["facets of a day", facets(24)],
  ["groups of an hour", groups],
  ["statistics", async (store) => ({ ...(await store.stats(new Date(FILLED_DAY.to))), storage_bytes: 0 })],
];

/** The CPU time of the engines and of this process. */
async function readCpuMs({ engines }: StartedLogStores): Promise<number> {
  const { user, system } = process.cpuUsage();
  const used = await Promise.all(engines.map(({ engine }) => readProcessorMs(engine().pid())));
  return used.reduce<number>((sum, ms) => sum + (ms ?? 0), (user + system) / 1000);
}

async function measure(started: StartedLogStores, ask: Question, turn: number) {
  const [startMs, beforeMs] = [clock.monotonicMs(), await readCpuMs(started)];
  const answer = await ask(started.store, turn);
  return { answer, ms: clock.monotonicMs() - startMs, cpuMs: (await readCpuMs(started)) - beforeMs };
}

/** Queries both alternately, so that other load affects both. */
async function compare(one: StartedLogStores, several: StartedLogStores, [name, ask]: [string, Question]) {
  const waits = { one: [] as number[], several: [] as number[] };
  const cpu = { one: 0, several: 0 };
  for (let turn = 0; turn < WARM_UP + TURNS; turn += 1) {
    const alone = await measure(one, ask, turn);
    const merged = await measure(several, ask, turn);
    expect(merged.answer, name).toEqual(alone.answer);
    if (turn < WARM_UP) continue;
    waits.one.push(alone.ms);
    waits.several.push(merged.ms);
    cpu.one += alone.cpuMs;
    cpu.several += merged.cpuMs;
  }
  const [alone, merged] = [computeFigures(waits.one), computeFigures(waits.several)];
  const [wall, processor] = [merged.p95 / alone.p95, cpu.several / cpu.one];
  print(
    `${name} in ${rows} logs, ms p50 / p95 / max: one store ${inWords(alone)}, ${STORES} stores ${inWords(merged)} ` +
      `(p95 ${wall.toFixed(2)} times, processor time ${processor.toFixed(2)} times)`,
  );
  return { name, wall, processor };
}

it(`answers from ${STORES} stores as from one with all ${rows} logs, nearly as fast`, {
  timeout: 4 * HOUR_MS,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bench-federation-"));
  const whole = join(folder, "whole");
  const shares = Array.from({ length: STORES }, (_, place) => join(folder, String(place)));
  await fillEngine(whole, { rows });
  for (const [place, each] of shares.entries()) await fillEngine(each, { rows, share: { place, of: STORES } });
  const one = await startLogStores(1, [whole]);
  const several = await startLogStores(STORES, shares);
  try {
    const ratios: Awaited<ReturnType<typeof compare>>[] = [];
    for (const question of QUESTIONS) ratios.push(await compare(one, several, question));
    if (isFull) for (const { name, wall } of ratios) expect(wall, name).toBeLessThanOrEqual(MAX_RATIO);
  } finally {
    await one.stop();
    await several.stop();
    rmSync(folder, { recursive: true });
  }
});
