import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { type StartedPostgres, startPostgres } from "@kit/testing/postgres";
import { freePort } from "@kit/testing/process";
import pg from "pg";
import { expect, it } from "vitest";
import { insertRules } from "../../testing/fixtures/detection-load.ts";
import { createIntake } from "../../testing/harness/shippers-intake.ts";
import {
  openLogEngine,
  startWorkerProcess,
  type WorkerProcess,
} from "../../testing/processes/detection-worker-process.ts";
import { startLogStore } from "../../testing/servers/log-engine.ts";
import { createDatabase } from "../adapters/postgres.ts";
import { ALL_SITES } from "../foundation/caller/caller.ts";
import { readJsonEvents } from "../logs/intake/formats/json-events.ts";

const KILLS = process.env.PROVE === "full" ? 20 : 1;
const SENDERS = 3;
const BATCH = 200;
/** The first log of a batch matches one scheduled rule and one streaming rule. */
const RULES = 60;
const MINUTE_MS = 60_000;
const ALL = { time: "ingested_at", from: new Date(0), to: new Date("2100-01-01T00:00:00Z") } as const;
const clock = createClock();

interface Server {
  url: string;
  ask<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
  /** Kills all processes of the server without a clean shutdown, then starts the server, which recovers. */
  killAndStart(downMs: number): Promise<void>;
  stop(): Promise<void>;
}

async function startServer(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "database-kills-"));
  const port = await freePort();
  let server: StartedPostgres = await startPostgres({ folder, port });
  const url = `${server.url}/postgres`;
  return {
    url,
    async ask(sql) {
      const owner = new pg.Client(url);
      await owner.connect();
      try {
        return (await owner.query(sql)).rows;
      } finally {
        await owner.end();
      }
    },
    async killAndStart(downMs) {
      // The signal that `pg_ctl stop -m immediate` sends.
      await server.stop("SIGQUIT");
      await clock.sleep(downMs);
      server = await startPostgres({ folder, port });
    },
    async stop() {
      await server.stop("SIGINT");
      rmSync(folder, { recursive: true });
    },
  };
}

/** Makes every rule due now, with a window that ended seconds ago, because a test cannot wait for whole minutes. */
const MAKE_DUE = `UPDATE detection_coverage SET next_run_at = ended
  FROM (SELECT date_bin('5 s', clock_timestamp() - interval '1 s', 'epoch') AS ended) AS latest
  WHERE next_run_at IS NOT NULL AND window_from < ended`;

it(`loses no log, duplicates none and accounts for every window over kills of PostgreSQL (${KILLS})`, {
  timeout: (KILLS + 4) * MINUTE_MS,
}, async () => {
  const server = await startServer();
  const database = createDatabase({
    url: server.url,
    migrationsFolder: join(import.meta.dirname, "../migrations"),
    clock,
    log: silentLog,
    onFirstAnswer: async () => undefined,
  });
  await expect.poll(() => database.isAvailable(), { timeout: MINUTE_MS }).toBe(true);
  await addRules(server.url);
  const { engine, recentFolder, store, stop } = await startLogStore();
  const door = await openLogEngine(engine, recentFolder);
  const { intake, worker: writing } = createIntake({ db: database.db, logStore: store });
  writing.start();
  let worker: WorkerProcess = await startWorkerProcess(server.url, door);
  const covered = () => countRows(server, "detection_coverage");
  await expect.poll(covered, { timeout: MINUTE_MS }).toBe(2 * RULES);

  const acknowledged: string[] = [];
  let refusals = 0;
  let isOver = false;
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let turn = 0; !isOver; turn += 1) {
      const batchId = `batch-${sender}-${turn}`;
      const events = Array.from({ length: BATCH }, (_event, n) => {
        const needle = n === 0 ? ` needle${(turn * SENDERS + sender) % RULES}x` : "";
        return JSON.stringify({ message: `event ${n}${needle}`, n });
      });
      const origin = { format: "json", sender: "test", source: batchId, batchId } as const;
      while (!(await intake.accept(readJsonEvents(events.join("\n")), origin).then(isWhole, () => false))) {
        refusals += 1;
        await clock.sleep(50);
      }
      acknowledged.push(batchId);
      await clock.sleep(100);
    }
  });

  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = acknowledged.length;
    await clock.sleep(6000);
    await server.ask(MAKE_DUE);
    // Kill at a different moment of the work each time.
    await clock.sleep(100 + ((kill * 577) % 1400));
    expect(acknowledged.length).toBeGreaterThan(before);
    await server.killAndStart((kill * 331) % 1500);
    // The worker exits after losing its lease, because it must not continue. Its parent starts a new one.
    await expect.poll(() => worker.output(), { timeout: 20_000 }).toContain("worker ends");
    expect(await worker.stop()).toBe(70);
    worker = await startWorkerProcess(server.url, door);
  }
  await clock.sleep(2000);
  isOver = true;
  await Promise.all(senders);
  await intake.close();

  const rows = new Map<string, number>();
  const needles: { id: string; ingested_at: string }[] = [];
  const selection = {
    ...ALL,
    scope: ALL_SITES,
    where: { sql: "true", parameters: {} },
    order: "oldest",
    limit: 10_000_000,
  } as const;
  for await (const page of store.stream(selection)) {
    for (const { id, source, message, ingested_at } of page) {
      rows.set(source, (rows.get(source) ?? 0) + 1);
      if (message.includes("needle")) needles.push({ id, ingested_at });
    }
  }
  await allAccountedFor(server, needles.at(-1)?.ingested_at ?? "");
  await worker.stop();
  await writing.close();

  const wrong = acknowledged.filter((batchId) => rows.get(batchId) !== BATCH);
  process.stdout.write(
    `${KILLS} kills of PostgreSQL: ${acknowledged.length} batches acknowledged, ${wrong.length} lost or duplicated, ` +
      `${refusals} refusals, ${needles.length} logs to be found\n`,
  );
  expect(wrong).toEqual([]);
  const matched = await server.ask<{ log_id: string; times: number }>(
    "SELECT log_id, count(*)::int AS times FROM detection_matches GROUP BY log_id",
  );
  expect(new Map(matched.map(({ log_id, times }) => [log_id, times]))).toEqual(
    new Map(needles.map(({ id }) => [id, 2])),
  );
  expect(await countRows(server, GAPS)).toBe(0);
  const [sums] = await server.ask<{ off: number }>(`
    SELECT max(abs(ran_s + skipped_s + capped_s + silent_s - extract(epoch FROM window_from - accounted_from)))::float8 AS off
    FROM detection_coverage WHERE owner = 'schedule'`);
  expect(sums?.off).toBeLessThan(0.001);
  door.close();
  await stop();
  await database.close();
  await server.stop();
});

const GAPS = `(SELECT window_from, lag(window_to) OVER (PARTITION BY rule_id ORDER BY window_to) AS before FROM detection_runs
    WHERE status <> 'failed' AND rule_id IN (SELECT rule_id FROM detection_coverage WHERE owner = 'schedule')) AS each
  WHERE before IS NOT NULL AND before <> window_from`;

function isWhole({ accepted }: { accepted: number }): boolean {
  expect(accepted).toBe(BATCH);
  return true;
}

async function addRules(url: string): Promise<void> {
  const owner = new pg.Client(url);
  await owner.connect();
  await insertRules(owner, RULES, { isScheduled: true });
  await insertRules(owner, RULES, { isScheduled: false });
  await owner.end();
}

async function countRows(server: Pick<Server, "ask">, from: string): Promise<number> {
  const [row] = await server.ask<{ found: number }>(`SELECT count(*)::int AS found FROM ${from}`);
  return row?.found ?? 0;
}

/** Waits until every window up to the instant was processed and every failed one was backfilled. */
async function allAccountedFor(server: Server, last: string): Promise<void> {
  const left = async () => {
    await server.ask(MAKE_DUE);
    const counts = [
      await countRows(server, "detection_batches WHERE finished_at IS NULL"),
      await countRows(server, `detection_coverage WHERE owner = 'schedule' AND window_from <= '${last}'`),
      await countRows(server, `detection_stream WHERE position <= '${last}'`),
      await countRows(server, "detection_backfills"),
    ];
    return counts.reduce((sum, count) => sum + count, 0);
  };
  await expect.poll(left, { timeout: 2 * MINUTE_MS, interval: 1000 }).toBe(0);
}
