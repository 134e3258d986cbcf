import process from "node:process";
import { createClock } from "@kit/clock";
import pg from "pg";
import { expect, it } from "vitest";
import { insertRules, publishNow, startLoad } from "../fixtures/detection-load.ts";
import { openLogEngine, startWorkerProcess } from "../processes/detection-worker-process.ts";
import { freshDatabase } from "../servers/fresh-database.ts";
import { startLogStore } from "../servers/log-engine.ts";
import { print } from "./figures.ts";

const { BENCH_RULES = "300", BENCH_EVENTS_PER_SECOND = "200", BENCH_MINUTES = "1" } = process.env;
const RULES = Number(BENCH_RULES);
const EVENTS_PER_SECOND = Number(BENCH_EVENTS_PER_SECOND);
const MINUTES = Number(BENCH_MINUTES);
const MINUTE_MS = 60_000;
/** This long after the start of a minute, batches are being processed. */
const KILL_AFTER_MS = 900;
/** The time that workers need to start. */
const WARM_UP_MS = 8000;
// The specified size is measured on an idle machine; a smaller run only shows that the benchmark works.
const LAG_SECONDS = RULES >= 10_000 ? 5 : 30;
const clock = createClock();

interface Lags {
  windows: number;
  p50: number;
  p99: number;
  most: number;
}

const LAGS = `
  SELECT count(*)::int AS windows, percentile_disc(0.5) WITHIN GROUP (ORDER BY lag)::float8 AS p50,
    percentile_disc(0.99) WITHIN GROUP (ORDER BY lag)::float8 AS p99, max(lag)::float8 AS most
  FROM (SELECT extract(epoch FROM finished_at - window_to) AS lag FROM detection_batches, unnest(rule_ids)
    WHERE finished_at IS NOT NULL AND window_to > $1 AND window_to <= $2) AS each`;

const MINUTE_LAGS = `
  SELECT window_to, count(*)::int AS batches, max(extract(epoch FROM created_at - window_to))::float8 AS taken,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - window_to))::float8 AS p50,
    max(extract(epoch FROM finished_at - window_to))::float8 AS most
  FROM detection_batches WHERE window_to > $1 AND window_to <= $2 GROUP BY window_to ORDER BY window_to`;

/** Gaps between consecutive windows, and windows that ran more than once. */
const GAPS = `
  SELECT * FROM (
    SELECT rule_id, status, error, window_from, window_to, started_at, finished_at,
      lag(window_to) OVER (PARTITION BY rule_id ORDER BY window_to, started_at) AS before
    FROM detection_runs) AS each
  WHERE before IS DISTINCT FROM window_from AND before IS NOT NULL LIMIT 20`;

it(`runs ${RULES} rules every minute on two workers, one of which is killed`, {
  timeout: (MINUTES + 5) * MINUTE_MS,
}, async () => {
  const { url } = await freshDatabase();
  const owner = new pg.Client(url);
  await owner.connect();
  const { engine, recentFolder, store, stop } = await startLogStore();
  const door = await openLogEngine(engine, recentFolder);
  await insertRules(owner, RULES, { isScheduled: true });
  const load = startLoad(store, owner, RULES, EVENTS_PER_SECOND);
  const [first, second] = await Promise.all([startWorkerProcess(url, door), startWorkerProcess(url, door)]);

  // Start with the next whole minute; for a run of one minute, use the current one.
  const next = Math.ceil((clock.now().getTime() + WARM_UP_MS) / MINUTE_MS) * MINUTE_MS;
  const begins = MINUTES > 1 ? next : next - MINUTE_MS;
  const ends = begins + MINUTES * MINUTE_MS;
  const killAt = begins + Math.ceil(MINUTES / 2) * MINUTE_MS + KILL_AFTER_MS;
  await clock.sleep(killAt - clock.now().getTime());
  await first.stop("SIGKILL");
  const third = await startWorkerProcess(url, door);
  await clock.sleep(Math.max(0, ends + KILL_AFTER_MS - clock.now().getTime()));
  await load.stop();
  const finished = `SELECT count(*)::int AS found FROM detection_batches, unnest(rule_ids)
      WHERE finished_at IS NOT NULL AND window_to > $1 AND window_to <= $2`;
  await expect
    .poll(
      async () => {
        await publishNow(owner);
        const { rows } = await owner.query(finished, [new Date(begins), new Date(ends)]);
        return rows[0]?.found;
      },
      { timeout: 2 * MINUTE_MS, interval: 500 },
    )
    .toBe(RULES * MINUTES);
  await Promise.all([second.stop(), third.stop()]);

  const { rows: lags } = await owner.query<Lags>(LAGS, [new Date(begins), new Date(ends)]);
  const { rows: gaps } = await owner.query(GAPS);
  const { rows: matched } = await owner.query<{ log_id: string }>("SELECT log_id FROM detection_matches");
  const { rows: alerts } = await owner.query<{ occurrences: number }>(
    "SELECT sum(cardinality(log_ids))::int AS occurrences FROM alerts",
  );
  const [lag] = lags;
  const { rows: minutes } = await owner.query(MINUTE_LAGS, [new Date(begins), new Date(ends)]);
  for (const minute of minutes) process.stdout.write(`${JSON.stringify(minute)}\n`);
  print(
    `${RULES} scheduled rules a minute at ${EVENTS_PER_SECOND} events/s, two workers, one of them killed: lag in s p50 ` +
      `${lag?.p50.toFixed(1)}, p99 ${lag?.p99.toFixed(1)}, most ${lag?.most.toFixed(1)}; ${lag?.windows} windows, each once; ` +
      `${load.stored()} logs`,
  );
  // Logs after the last minute belong to the next window.
  const before = new Date(ends).toISOString();
  const due = [...load.needles].flatMap(([id, ingested_at]) => (ingested_at < before ? [id] : []));
  expect(lag?.windows).toBe(RULES * MINUTES);
  expect(gaps).toEqual([]);
  expect(new Set(matched.map(({ log_id }) => log_id))).toEqual(new Set(due));
  expect(matched).toHaveLength(due.length);
  expect(alerts[0]?.occurrences).toBe(due.length);
  expect(lag?.p99).toBeLessThan(LAG_SECONDS);
  await owner.end();
  door.close();
  await stop();
});
