import process from "node:process";
import { createClock } from "@kit/clock";
import pg from "pg";
import { expect, it } from "vitest";
import { startSharedLogStore } from "../servers/shared-log-store.ts";
import { computeFigures, inWords, time } from "./figures.ts";
import { listPages, type PageRequest, type Samples } from "./measured-pages.ts";
import { HUGE_CASE, seed } from "./seed.ts";
import { type AskedPlatform, startPlatform, startServer } from "./server.ts";

const HOUR_MS = 60 * 60_000;
const MAX_MS = 300;
const DAYS = 90;
const WARM_UP = 2;

/** For all sites: the same rows, so that the figures differ only by the cost of the scope. */
const SITES = Array.from({ length: 5 }, (_, at) => `site-${at}`);
const { BENCH_ALERTS = "2000", BENCH_CASES = "200", BENCH_DATABASE_URL, BENCH_ONLY = "", BENCH_SITES } = process.env;
const [alerts, cases] = [Number(BENCH_ALERTS), Number(BENCH_CASES)];
const isFull = alerts >= 1_000_000;
const TURNS = alerts >= 100_000 ? 25 : 3;
const clock = createClock();

it(`answers every list, page and summary of ${alerts} alerts in time`, { timeout: HOUR_MS }, async () => {
  const server = await startServer(BENCH_DATABASE_URL);
  const owner = new pg.Client(server.url);
  const { logStore, stop } = await startSharedLogStore();
  const platform = await startPlatform(server.url, logStore);
  const report = [`| ${alerts} alerts, ${cases} cases, ms: p50 / p95 / max | | partial |`, "|---|---|---|"];
  const over: string[] = [];
  try {
    await owner.connect();
    const isSeeded = (await owner.query("SELECT FROM cases LIMIT 1")).rowCount === 1;
    const [seededMs = 0] = isSeeded ? [] : await time(clock, [() => seed(owner, { alerts, cases, days: DAYS })]);
    if (BENCH_SITES && !isSeeded) await giveCasesToOneSite(owner);
    const limited = BENCH_SITES && (await platform.getFor(SITES));
    for (const asked of listPages(await readSamples(owner))) {
      if (!asked.name.includes(BENCH_ONLY)) continue;
      const { waitsMs, partial } = await measure(platform, asked);
      const figures = computeFigures(waitsMs);
      if (figures.p95 > MAX_MS) over.push(`${asked.name}: ${inWords(figures)}`);
      const scoped = limited && computeFigures((await measure({ get: limited }, asked)).waitsMs);
      const cost = scoped ? ` | for sites ${inWords(scoped)}, p95 ${(scoped.p95 / figures.p95).toFixed(2)} times` : "";
      report.push(`| ${asked.name} | ${inWords(figures)} | ${partial} of ${TURNS}${cost} |`);
    }
    report.push("", `seeded in ${(seededMs / 1000).toFixed(0)} s; over ${MAX_MS} ms: ${over.join("; ") || "nothing"}`);
  } finally {
    console.log(report.join("\n"));
    await owner.end();
    await platform.close();
    await stop();
    await server.stop();
  }
  if (isFull) expect(over).toEqual([]);
});

/** Simulates a platform in use: PostgreSQL has statistics about the sites, and has vacuumed after the change. */
async function giveCasesToOneSite(owner: pg.Client): Promise<void> {
  await owner.query("UPDATE cases SET sites = '{site-0}'");
  await owner.query("VACUUM ANALYZE cases");
}

async function measure({ get }: Pick<AskedPlatform, "get">, { path, queryAt, isPartial }: PageRequest) {
  const waitsMs: number[] = [];
  let partial = 0;
  for (let turn = 0; turn < WARM_UP + TURNS; turn += 1) {
    const { path: at = path, query = {} } = await queryAt(turn, get);
    const startMs = clock.monotonicMs();
    // A page that exceeds the service's own time limit is measured as well.
    const answer = await get(`/api/v1${at}`, query).catch(() => ({}));
    const waitMs = clock.monotonicMs() - startMs;
    if (turn < WARM_UP) continue;
    waitsMs.push(waitMs);
    partial += Number(isPartial(answer));
  }
  return { waitsMs, partial };
}

/**
 * Samples random records, so that values have the same frequencies as in the table, and the most and least frequent
 * entities.
 */
async function readSamples(owner: pg.Client): Promise<Samples> {
  const read = async (sql: string) => (await owner.query<Record<string, string>>(sql)).rows;
  const counted = (value: string, from: string) =>
    read(`SELECT ${value} AS value FROM ${from} GROUP BY 1 ORDER BY count(*) DESC, 1`);
  const addresses = await counted(
    "entities #>> '{addresses,0,name}'",
    "alerts WHERE entities #> '{addresses,0}' IS NOT NULL",
  );
  return {
    alerts: await read(`SELECT *, severity::text, to_json(created_at) #>> '{}' AS created_at, iocs[1] AS ioc FROM alerts
      WHERE assignee IS NOT NULL AND case_id IS NOT NULL AND rule_id IS NOT NULL AND "user" IS NOT NULL AND iocs <> '{}'
      ORDER BY md5(id::text) LIMIT 60`),
    cases: await read(`SELECT *, severity::text FROM cases WHERE assignee IS NOT NULL ORDER BY md5(id::text) LIMIT 60`),
    hugeCase: HUGE_CASE,
    entities: {
      host: (await counted("host", "alerts")).map(({ value = "" }) => value),
      user: (await counted('"user"', 'alerts WHERE "user" IS NOT NULL')).map(({ value = "" }) => value),
      address: addresses.map(({ value = "" }) => value),
    },
  };
}
