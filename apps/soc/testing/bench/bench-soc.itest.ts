import process from "node:process";
import { createClock } from "@kit/clock";
import pg from "pg";
import { expect, it } from "vitest";
import { measureCreates } from "./creates.ts";
import { computeFigures, inWords, time } from "./figures.ts";
import {
  ALERTS,
  CASES,
  cursorAfter,
  filtersAt,
  type ListedRecord,
  listFilterSets,
  type MeasuredList,
  reversed,
} from "./lists.ts";
import { HUGE_CASE, seed } from "./seed.ts";
import { type AskedPlatform, startPlatform, startServer } from "./server.ts";

const LIMIT_MS = 100;
const CASE_LIMIT_MS = 200;
const HOURS = 3 * 60 * 60_000;

const { BENCH_ALERTS = "2000", BENCH_DATABASE_URL } = process.env;
const alerts = Number(BENCH_ALERTS);
const isFull = alerts >= 50_000;
const perCell = isFull ? 30 : 1;
const clock = createClock();
const report: string[] = [];
const over: string[] = [];

it("answers every list, case and context, and creates alerts", { timeout: HOURS }, async () => {
  const server = await startServer(BENCH_DATABASE_URL);
  const owner = new pg.Client(server.url);
  try {
    const platform = await startPlatform(server.url);
    await owner.connect();
    await seedOnce(owner);
    await measureReads(owner, platform);
    await platform.close();
    expect(await measureCreate(server.url)).toBeGreaterThan(0);
  } finally {
    await owner.end();
    await server.stop();
  }
  report.push("", over.length === 0 ? "Nothing is over its limit." : `Over the limit: ${over.join("; ")}`);
  console.log(report.join("\n"));
});

async function measureReads(owner: pg.Client, platform: AskedPlatform): Promise<void> {
  const alertRecords = await readSample(owner, platform, "alerts", "assignee IS NOT NULL AND case_id IS NOT NULL");
  const caseRecords = await readSample(owner, platform, "cases", "assignee IS NOT NULL");
  await measureList(platform, { ...ALERTS, records: alertRecords });
  await measureList(platform, { ...CASES, records: caseRecords });
  await measurePages(platform, alertRecords, caseRecords);
}

async function seedOnce(owner: pg.Client): Promise<void> {
  const isSeeded = (await owner.query("SELECT FROM cases LIMIT 1")).rowCount === 1;
  const [waitMs = 0] = isSeeded ? [] : await time(clock, [() => seed(owner, { alerts, cases: alerts / 10 })]);
  const { rows } = await owner.query(`
    SELECT relname, reltuples::int AS rows, pg_size_pretty(pg_table_size(oid)) AS held,
      pg_size_pretty(pg_indexes_size(oid)) AS indexes
    FROM pg_class WHERE relname IN ('alerts', 'cases', 'audit_log', 'outbox')`);
  report.push(
    `PostgreSQL ${(await owner.query("SHOW server_version")).rows[0].server_version}, Node ${process.version}`,
  );
  report.push(isSeeded ? "seeded before" : `seeded in ${(waitMs / 1000).toFixed(0)} s`, "");
  for (const { relname, rows: count, held, indexes } of rows)
    report.push(`- ${relname}: ${count} rows, ${held} and ${indexes} of indexes`);
}

/** A random sample of records as the API returns them; values have the same frequencies as in the table. */
async function readSample(owner: pg.Client, { get }: AskedPlatform, table: "alerts" | "cases", where: string) {
  const { rows } = await owner.query(`SELECT id FROM ${table} WHERE ${where} ORDER BY md5(id::text) LIMIT 60`);
  const records: ListedRecord[] = [];
  for (const { id } of rows) records.push(await get(`/api/v1/${table}/${id}`));
  return records;
}

async function measureList({ get }: AskedPlatform, list: MeasuredList): Promise<void> {
  const { path, sorts, records } = list;
  report.push(
    "",
    `| ${path}, ms: p50 / p95 / max | order | first page | middle | last | skip 5,000 |`,
    "|---|---|---|---|---|---|",
  );
  for (const names of listFilterSets(list)) {
    for (const sort of sorts) {
      const asked = Array.from({ length: perCell }, (_, turn) => ({ ...filtersAt(list, names, turn), sort }));
      const lasts: { cursor?: string }[] = [];
      for (const query of asked) {
        const end = await get(path, { ...query, sort: reversed(sort), limit: "20" }).catch(noteRefusal);
        const last: ListedRecord | undefined = end?.items.at(-1);
        lasts.push(last ? { cursor: cursorAfter(sort, last) } : {});
      }
      const pages = {
        first: asked.map(() => ({})),
        middle: asked.map((_, turn) => ({ cursor: cursorAfter(sort, records[turn % records.length] ?? {}) })),
        last: lasts,
        skip: asked.map(() => ({ skip: "5000" })),
      };
      const cells: string[] = [];
      for (const [name, places] of Object.entries(pages)) {
        const works = asked.map((query, turn) => () => get(path, { ...query, ...places[turn] }).catch(noteRefusal));
        cells.push(formatCell(`${path}?${names.join("&")} ${sort} ${name}`, await time(clock, works), LIMIT_MS));
      }
      report.push(`| ${names.join(", ") || "no filter"} | ${sort} | ${cells.join(" | ")} |`);
    }
  }
}

/** Reports a page that exceeded the platform's own time limit, and continues with the others. */
function noteRefusal(error: Error): undefined {
  over.push(error.message);
}

async function measurePages(
  { get }: AskedPlatform,
  alertRecords: readonly ListedRecord[],
  caseRecords: readonly ListedRecord[],
) {
  const huge = Array.from({ length: perCell }, () => () => get(`/api/v1/cases/${HUGE_CASE}`));
  const ordinary = caseRecords.map(
    ({ id }) =>
      () =>
        get(`/api/v1/cases/${String(id)}`),
  );
  const context = alertRecords.map(
    ({ id }) =>
      () =>
        get(`/api/v1/alerts/${String(id)}/context`),
  );
  report.push("", "| page, ms: p50 / p95 / max | |", "|---|---|");
  report.push(`| a case | ${formatCell("a case", await time(clock, ordinary), CASE_LIMIT_MS)} |`);
  report.push(`| the huge case | ${formatCell("the huge case", await time(clock, huge), CASE_LIMIT_MS)} |`);
  report.push(`| context of an alert | ${formatCell("context of an alert", await time(clock, context), LIMIT_MS)} |`);
}

function formatCell(name: string, waitsMs: readonly number[], limitMs: number): string {
  const figures = computeFigures(waitsMs);
  if (figures.p95 > limitMs) over.push(`${name} ${figures.p95.toFixed(0)} ms`);
  return inWords(figures);
}

async function measureCreate(url: string): Promise<number> {
  const { service, bare } = await measureCreates(url, isFull ? 40 : 2, isFull ? 50 : 5);
  const [ours, theirs] = [computeFigures(service), computeFigures(bare)];
  const rate = (waitsMs: readonly number[]) => (1000 * waitsMs.length) / waitsMs.reduce((sum, ms) => sum + ms, 0);
  const ratio = rate(service) / rate(bare);
  report.push("", "| create an alert | median | p95 | one after the other |", "|---|---|---|---|");
  report.push(`| service | ${ours.p50.toFixed(2)} ms | ${ours.p95.toFixed(2)} ms | ${rate(service).toFixed(0)}/s |`);
  report.push(`| bare pg | ${theirs.p50.toFixed(2)} ms | ${theirs.p95.toFixed(2)} ms | ${rate(bare).toFixed(0)}/s |`);
  report.push("", `Service to bare pg: ${(theirs.p50 / ours.p50).toFixed(2)} by medians, ${ratio.toFixed(2)} by rate.`);
  return ratio;
}
