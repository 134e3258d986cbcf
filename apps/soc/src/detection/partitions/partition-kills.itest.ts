import process from "node:process";
import { createClock } from "@kit/clock";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { insertRules } from "../../../testing/fixtures/detection-load.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { openPartitionStreams } from "../../../testing/harness/partition-streams.ts";
import { createIntake } from "../../../testing/harness/shippers-intake.ts";
import {
  openLogEngine,
  startWorkerProcess,
  type WorkerProcess,
} from "../../../testing/processes/detection-worker-process.ts";
import { startLogStore } from "../../../testing/servers/log-engine.ts";
import { type NatsServers, startNatsServers } from "../../../testing/servers/nats-servers.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";

const isFull = process.env.PROVE === "full";
const KILLS = isFull ? 12 : 1;
const FREEZES = isFull ? 3 : 1;
const MINUTE_MS = 60_000;
const PARTITIONS = 6;
const RULES = 20;
const SENDERS = 12;
const BATCH = 100;
/** Longer than a lease plus one round of the worker that takes over. */
const FROZEN_MS = 9000;
const clock = createClock();
let servers: NatsServers;
let platform: TestPlatform;
let url: string;
let owner: pg.Client;
let engine: Awaited<ReturnType<typeof startLogStore>>;
let door: Awaited<ReturnType<typeof openLogEngine>> & { stream: { url: string; partitions: number } };

beforeAll(async () => {
  servers = await startNatsServers(1);
  platform = await testPlatform("real");
  await platform.runtime.truth();
  url = platform.url ?? "";
  owner = new pg.Client(url);
  await owner.connect();
  engine = await startLogStore();
  const stream = { url: servers.url, partitions: PARTITIONS };
  door = { ...(await openLogEngine(engine.engine, engine.recentFolder)), stream };
});

afterAll(async () => {
  await owner.end();
  door.close();
  await engine.stop();
  await platform.close();
  await servers.stop();
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

/** Sends batches of several senders. Some batches contain a log that matches a scheduled and a streaming rule. */
function startSending() {
  const streams = openPartitionStreams(platform, PARTITIONS, { url: servers.url });
  const { intake } = createIntake({ db: platform.db, logStore: engine.store, streams, name: "sender" });
  const acknowledged: string[] = [];
  let isOver = false;
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let turn = 0; !isOver; turn += 1) {
      const found = Array.from({ length: BATCH }, (_each, place) => {
        const word = place === 0 && turn % 4 === 0 ? ` needle${turn % RULES}x` : "";
        return {
          fields: { message: `s${sender} t${turn} p${place}${word}`, n: `${sender}-${turn}-${place}` },
          raw: "{}",
        };
      });
      await intake.accept(found, { format: "json", sender: `sender ${sender}`, source: "load" });
      acknowledged.push(...found.map(({ fields }) => fields.n));
      await clock.sleep(150);
    }
  });
  return {
    acknowledged,
    async stop() {
      isOver = true;
      await Promise.all(senders);
      await intake.close();
      await streams.close();
    },
  };
}

async function listStored(): Promise<Map<string, { id: string; message: string }[]>> {
  const where = { sql: "source = 'load'", parameters: {} };
  const all = { time: "ingested_at" as const, from: new Date(0), to: new Date("2100-01-01T00:00:00Z") };
  const stored = new Map<string, { id: string; message: string }[]>();
  const pages = engine.store.stream({ ...all, scope: ALL_SITES, where, order: "oldest", limit: 10_000_000 });
  for await (const page of pages) {
    for (const { id, message, attributes } of page) {
      const name = String(attributes.n);
      stored.set(name, [...(stored.get(name) ?? []), { id, message }]);
    }
  }
  return stored;
}

/** Measures the time until the worker owns no partition and all partitions have an owner. */
async function measureTakeover(worker: string): Promise<number> {
  const startMs = clock.monotonicMs();
  const owned = `log_partitions WHERE owner <> '${worker}' AND lease_until > clock_timestamp()`;
  await expect.poll(() => countRows(owned), { timeout: MINUTE_MS, interval: 50 }).toBe(PARTITIONS);
  return clock.monotonicMs() - startMs;
}

async function waitForRules(): Promise<void> {
  const last = new Date(clock.now().getTime()).toISOString();
  await expect
    .poll(
      async () => {
        await makeDue();
        const waiting = await countRows("detection_batches WHERE finished_at IS NULL");
        const behind = await countRows(`detection_coverage WHERE owner = 'schedule' AND window_from <= '${last}'`);
        const streaming = await countRows(`detection_stream WHERE position <= '${last}'`);
        return waiting + behind + streaming + (await countRows("detection_backfills"));
      },
      { timeout: 2 * MINUTE_MS, interval: 1000 },
    )
    .toBe(0);
}

it(`stores and matches each log once over ${KILLS} kills and ${FREEZES} freezes of owners under load`, {
  timeout: (KILLS + FREEZES + 4) * MINUTE_MS,
}, async () => {
  await insertRules(owner, RULES, { isScheduled: true });
  await insertRules(owner, RULES, { isScheduled: false });
  let workers: WorkerProcess[] = await Promise.all([startWorkerProcess(url, door), startWorkerProcess(url, door)]);
  await expect.poll(() => countRows("detection_coverage"), { timeout: MINUTE_MS }).toBe(2 * RULES);
  const shares = "(SELECT owner FROM log_partitions WHERE lease_until > now() GROUP BY owner HAVING count(*) = 3) AS o";
  await expect.poll(() => countRows(shares), { timeout: MINUTE_MS }).toBe(2);
  await clock.sleep(2000);
  const { rows: before } = await owner.query(
    "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()",
  );
  const sending = startSending();
  const takeovers: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    await clock.sleep(6000 + ((kill * 577) % 1400));
    await makeDue();
    const [first, ...others] = workers;
    await first?.stop("SIGKILL");
    takeovers.push(await measureTakeover(first?.executorId ?? ""));
    workers = [...others, await startWorkerProcess(url, door)];
  }
  for (let freeze = 0; freeze < FREEZES; freeze += 1) {
    await clock.sleep(4000);
    const [first] = workers;
    process.kill(first?.pid ?? 0, "SIGSTOP");
    takeovers.push(await measureTakeover(first?.executorId ?? ""));
    await clock.sleep(FROZEN_MS);
    process.kill(first?.pid ?? 0, "SIGCONT");
    // The connection that proves its liveness may be lost by then: an ended worker is replaced.
    await clock.sleep(3000);
    workers = [...workers.slice(1), await startWorkerProcess(url, door)];
    await first?.stop("SIGKILL");
  }
  await clock.sleep(3000);
  await sending.stop();
  const { rows: after } = await owner.query(
    "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()",
  );
  await expect
    .poll(async () => [...(await listStored()).keys()].length, { timeout: MINUTE_MS, interval: 500 })
    .toBeGreaterThanOrEqual(sending.acknowledged.length);
  await waitForRules();
  await Promise.all(workers.map((worker) => worker.stop()));

  const stored = await listStored();
  const lost = sending.acknowledged.filter((name) => !stored.has(name));
  const doubled = [...stored].filter(([, copies]) => copies.length > 1).map(([name]) => name);
  const { rows: matched } = await owner.query<{ log_id: string; times: number }>(
    "SELECT log_id, count(*)::int AS times FROM detection_matches GROUP BY log_id",
  );
  const transactions = (Number(after[0]?.xact_commit) - Number(before[0]?.xact_commit)) / sending.acknowledged.length;
  process.stdout.write(
    `${KILLS} kills and ${FREEZES} freezes: ${sending.acknowledged.length} logs acknowledged, ${lost.length} lost, ` +
      `${doubled.length} doubled, ${matched.length} matched, owned again after ${takeovers.map(Math.round).join(", ")} ms, ` +
      `${transactions.toFixed(4)} transactions a log, dead letters ${await countRows("dead_letters")}\n`,
  );
  expect(lost).toEqual([]);
  expect(doubled).toEqual([]);
  const needles = [...stored.values()].flat().filter(({ message }) => message.includes("needle"));
  expect(new Map(matched.map(({ log_id, times }) => [log_id, times]))).toEqual(
    new Map(needles.map(({ id }) => [id, 2])),
  );
  expect(Math.max(...takeovers)).toBeLessThan(10_000);
});
