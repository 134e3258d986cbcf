import process from "node:process";
import { createClient } from "@clickhouse/client";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { insertRules } from "../../../testing/fixtures/detection-load.ts";
import { createTestedRules } from "../../../testing/fixtures/detection-rules.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { startLogStore } from "../../../testing/servers/log-engine.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Database } from "../../foundation/database/tables.ts";
import { createAccountingStore } from "./accounting.store.ts";
import { createBatchService } from "./dispatcher-batch.service.ts";
import { createScanService } from "./dispatcher-scan.service.ts";
import { createScheduleStore } from "./schedule.store.ts";

const { PROVE_WINDOW_LOGS = "40000" } = process.env;
const LOGS = Number(PROVE_WINDOW_LOGS);
const RULES = 4;
/** Below what one run may store, so that no rule is capped. */
const HITS_PER_RULE = 900;
const NEEDLE_EVERY = Math.floor(LOGS / (RULES * HITS_PER_RULE));
const HOUR_MS = 60 * 60_000;
const MAX_MEMORY_BYTES = 600 * 1024 ** 2;
const FILL_BATCH_SIZE = 250_000;
const FILL_TIMEOUT_MS = 5 * 60_000;
const clock = createClock();
/** The last full hour, with logs at every instant up to the last one. */
const START = Math.floor(clock.now().getTime() / HOUR_MS) * HOUR_MS - HOUR_MS;

let owner: pg.Client;
let database: Database;
let engine: Awaited<ReturnType<typeof startLogStore>>;

const fill = (from: number, count: number) => `
  INSERT INTO logs (id, timestamp, ingested_at, source, host, severity, message, raw, attributes)
  SELECT concat('0190', leftPad(lower(hex(number)), 12, '0')),
    fromUnixTimestamp64Milli(${START} + intDiv(number * ${HOUR_MS}, ${LOGS}), 'UTC') AS at, at,
    ['windows', 'linux'][number % 2 + 1], concat('host', toString(number % 400)), 'info',
    concat('Logon of ', toString(number), if(number % ${NEEDLE_EVERY} = ${NEEDLE_EVERY - 1},
      concat(' needle', toString(intDiv(number, ${NEEDLE_EVERY}) % ${RULES}), 'x'), '')),
    repeat('x', 400), concat('{"pid":', toString(number % 30000), '}')
  FROM numbers(${from}, ${count})`;

beforeAll(async () => {
  const { url } = await freshDatabase();
  owner = new pg.Client(url);
  await owner.connect();
  database = createDatabase({ url, migrationsFolder: "", clock, log: silentLog, onFirstAnswer: async () => undefined });
  // The window contains many times more logs than one query returns.
  engine = await startLogStore(LOGS < 1_000_000 ? { limits: { readLogs: 1000, readInstants: 3000 } } : {});
  const client = createClient({
    url: engine.engine.url,
    http_agent: engine.engine.agent,
    keep_alive: { idle_socket_ttl: 0 },
    request_timeout: FILL_TIMEOUT_MS,
  });
  for (let from = 0; from < LOGS; from += FILL_BATCH_SIZE) {
    await client.command({ query: fill(from, Math.min(FILL_BATCH_SIZE, LOGS - from)) });
  }
}, 30 * 60_000);

afterAll(async () => {
  await database.close();
  await owner.end();
  await engine.stop();
});

/** The peak memory of this process, above that at the start, until the work is done. */
async function measurePeak(work: Promise<unknown>): Promise<number> {
  const start = process.memoryUsage().rss;
  let peak = start;
  const done = new AbortController();
  async function watch(): Promise<void> {
    while (!done.signal.aborted) {
      peak = Math.max(peak, process.memoryUsage().rss);
      await clock.sleep(50);
    }
  }
  await Promise.all([watch(), work.finally(() => done.abort())]);
  return peak - start;
}

async function countBySql(rule: number): Promise<number> {
  const where = { sql: "position(message, {needle:String}) > 0", parameters: { needle: `needle${rule}x` } };
  const window = { from: new Date(START), to: new Date(START + HOUR_MS) };
  return engine.store.count({ scope: ALL_SITES, where, time: "ingested_at", ...window }, 1_000_000_000);
}

it(`finds the same in a window of ${LOGS} logs as plain SQL, and caps only the rule that matches all of them`, {
  timeout: 90 * 60_000,
}, async () => {
  await insertRules(owner, RULES + 1, { isScheduled: true });
  await owner.query("UPDATE detection_rules SET query = 'message:Logon*', name = 'everything' WHERE name = $1", [
    `rule ${RULES}`,
  ]);
  await owner.query("UPDATE detection_rules SET schedule_interval_minutes = 60, created_at = $1, updated_at = $1", [
    new Date(START),
  ]);
  const { db } = database;
  const accounting = createAccountingStore(db);
  await accounting.sync();
  const rules = createTestedRules({ db, logStore: engine.store, clock, ids: createIds(clock) });
  const schedule = createScheduleStore(db);
  const scan = createScanService({
    logs: engine.store,
    listRules: async () => rules.find((await accounting.listOwned("schedule")).map(({ id }) => id)),
    generation: async () => "1",
    clock,
    log: silentLog,
  });
  const batches = createBatchService({ schedule, rules, scan, silentSources: async () => new Set(), log: silentLog });
  const claimed = await schedule.claimDue(new Date(START + HOUR_MS));
  const [batch] = claimed.batches;
  const peak = await measurePeak(batches.run(batch?.id ?? ""));

  const { rows } = await owner.query(
    `SELECT name, status, error, match_count, ran_s, capped_s FROM detection_runs
     JOIN detection_rules ON detection_rules.id = detection_runs.rule_id
     JOIN detection_coverage ON detection_coverage.rule_id = detection_rules.id ORDER BY name`,
  );
  const counted = await Promise.all(Array.from({ length: RULES }, (_, n) => countBySql(n)));
  expect(counted[0]).toBeGreaterThanOrEqual(HITS_PER_RULE);
  expect(rows).toEqual([
    {
      name: "everything",
      status: "capped",
      error: null,
      match_count: Math.min(LOGS, 1_000_000),
      ran_s: 0,
      capped_s: 3600,
    },
    ...counted.map((match_count, n) => ({
      name: `rule ${n}`,
      status: "completed",
      error: null,
      match_count,
      ran_s: 3600,
      capped_s: 0,
    })),
  ]);
  expect(peak).toBeLessThan(MAX_MEMORY_BYTES);
});
