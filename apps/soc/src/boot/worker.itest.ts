import process from "node:process";
import { createClock } from "@kit/clock";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { insertRules, startLoad } from "../../testing/fixtures/detection-load.ts";
import { openLogEngine, startWorkerProcess } from "../../testing/processes/detection-worker-process.ts";
import { freshDatabase } from "../../testing/servers/fresh-database.ts";
import { startLogStore } from "../../testing/servers/log-engine.ts";

const isFull = process.env.PROVE === "full";
const KILLS = isFull ? 20 : 1;
const MINUTE_MS = 60_000;
const RULES = 120;
const clock = createClock();
let url: string;
let owner: pg.Client;
let engine: Awaited<ReturnType<typeof startLogStore>>;
let door: Awaited<ReturnType<typeof openLogEngine>>;

beforeAll(async () => {
  ({ url } = await freshDatabase());
  owner = new pg.Client(url);
  await owner.connect();
  engine = await startLogStore();
  door = await openLogEngine(engine.engine, engine.recentFolder);
});

afterAll(async () => {
  await owner.end();
  door.close();
  await engine.stop();
});

async function countRows(sql: string): Promise<number> {
  const { rows } = await owner.query<{ found: number }>(`SELECT count(*)::int AS found FROM ${sql}`);
  return rows[0]?.found ?? 0;
}

/** Makes every rule due now, with a window that ended seconds ago, because a test cannot wait for whole minutes. */
async function makeDue(): Promise<void> {
  await owner.query(`UPDATE detection_coverage SET next_run_at = ended
    FROM (SELECT date_bin('5 s', clock_timestamp() - interval '1 s', 'epoch') AS ended) AS latest
    WHERE next_run_at IS NOT NULL AND window_from < ended`);
}

it(`accounts for each window once and finds each log once over kills (${KILLS})`, {
  timeout: (KILLS + 3) * MINUTE_MS,
}, async () => {
  await insertRules(owner, RULES, { isScheduled: true });
  await insertRules(owner, RULES, { isScheduled: false });
  const load = startLoad(engine.store, owner, RULES, 300);
  let workers = await Promise.all([startWorkerProcess(url, door), startWorkerProcess(url, door)]);
  await expect.poll(() => countRows("detection_coverage"), { timeout: MINUTE_MS }).toBe(2 * RULES);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await clock.sleep(6000);
    await makeDue();
    // Kill at a different moment of the work each time.
    await clock.sleep(200 + ((kill * 577) % 1400));
    const [first, ...others] = workers;
    await first?.stop("SIGKILL");
    workers = [...others, await startWorkerProcess(url, door)];
  }
  await load.stop();
  await clock.sleep(4000);
  await makeDue();
  const last = [...load.needles.values()].toSorted().at(-1) ?? "";
  await expect
    .poll(
      async () => {
        // The writer has ended, so the test keeps its watermark current: no more logs will arrive.
        await owner.query("UPDATE log_writers SET watermark = clock_timestamp(), seen_at = now()");
        await makeDue();
        const waiting = await countRows("detection_batches WHERE finished_at IS NULL");
        const behind = await countRows(`detection_coverage WHERE owner = 'schedule' AND window_from <= '${last}'`);
        const streaming = await countRows(`detection_stream WHERE position <= '${last}'`);
        return waiting + behind + streaming + (await countRows("detection_backfills"));
      },
      { timeout: 2 * MINUTE_MS, interval: 1000 },
    )
    .toBe(0);
  await Promise.all(workers.map((worker) => worker.stop()));

  // Each log matches one scheduled rule and one streaming rule.
  const { rows: matched } = await owner.query<{ log_id: string; times: number }>(
    "SELECT log_id, count(*)::int AS times FROM detection_matches GROUP BY log_id",
  );
  expect(new Map(matched.map(({ log_id, times }) => [log_id, times]))).toEqual(
    new Map([...load.needles.keys()].map((id) => [id, 2])),
  );
  const gaps =
    await countRows(`(SELECT window_from, lag(window_to) OVER (PARTITION BY rule_id ORDER BY window_to) AS before
      FROM detection_runs WHERE rule_id IN (SELECT rule_id FROM detection_coverage WHERE owner = 'schedule')) AS each
      WHERE before IS NOT NULL AND before <> window_from`);
  expect(gaps).toBe(0);
  const { rows: sums } = await owner.query<{ off: number }>(`
      SELECT max(abs(ran_s + skipped_s + capped_s + silent_s - extract(epoch FROM window_from - accounted_from)))::float8 AS off
      FROM detection_coverage WHERE owner = 'schedule'`);
  expect(sums[0]?.off).toBeLessThan(0.001);
  expect(await countRows("alerts WHERE occurrence_count < 1 OR cardinality(log_ids) < 1")).toBe(0);
});

it("takes over the work of a killed worker", { timeout: 2 * MINUTE_MS }, async () => {
  const holder = new pg.Client(url);
  await holder.connect();
  await insertRules(owner, 5, { isScheduled: true });
  const known = await countRows("detection_rules");
  const killed = await startWorkerProcess(url, door);
  await expect.poll(() => countRows("detection_coverage"), { timeout: MINUTE_MS }).toBe(known);
  await clock.sleep(6000);
  await owner.query("UPDATE log_writers SET watermark = clock_timestamp(), seen_at = now()");
  // This lock blocks every worker that finishes a batch.
  await holder.query("BEGIN; LOCK TABLE detection_runs IN SHARE MODE");
  await makeDue();
  const pending = `dbos.workflow_status WHERE status = 'PENDING' AND executor_id = '${killed.executorId}'`;
  await expect.poll(() => countRows(pending), { timeout: MINUTE_MS, interval: 20 }).toBeGreaterThan(0);
  await killed.stop("SIGKILL");
  await holder.query("ROLLBACK");
  await holder.end();
  expect(await countRows("detection_batches WHERE finished_at IS NULL")).toBeGreaterThan(0);

  const next = await startWorkerProcess(url, door);
  const startedMs = clock.monotonicMs();
  await expect.poll(() => countRows("detection_batches WHERE finished_at IS NULL"), { timeout: MINUTE_MS }).toBe(0);
  process.stdout.write(
    `taken over and finished ${Math.round(clock.monotonicMs() - startedMs)} ms after the next began\n`,
  );
  await next.stop();
});

it("exits when it loses the connection that holds its lease", { timeout: MINUTE_MS }, async () => {
  const worker = await startWorkerProcess(url, door);
  await owner.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'manara-soc-presence'",
  );
  await expect.poll(() => worker.output(), { timeout: 20_000 }).toContain("worker ends");
  expect(await worker.stop()).toBe(70);
});
