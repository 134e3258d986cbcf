import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { type BoxEngine, openBoxEngine } from "@soc/service/testing/servers/box-engine";
import { type BucketServer, startBucketServer } from "@soc/service/testing/servers/bucket-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { count } from "../counts.ts";
import { createSocClient, requestToken, type StartedSoc, startSoc } from "./client.ts";
import { startDatabase, type TestDatabase } from "./database.ts";

const clock = createClock();
const LOGS = 2000;
const OLD_DAYS = 2;
const TIMES = count({ ci: 1, full: 250 });
const ALL = LOGS * (1 + OLD_DAYS * TIMES);
const WAIT_MS = 120_000;
const DAY_MS = 24 * 3_600_000;

let home: string;
let bucket: BucketServer;
let database: TestDatabase;
let soc: StartedSoc;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "soc-old-days-e2e-"));
  [database, bucket] = await Promise.all([startDatabase(), startBucketServer()]);
  await start();
}, 180_000);
afterAll(async () => {
  await soc.service.stop("SIGKILL");
  await Promise.all([database.remove(), bucket.remove()]);
  await rm(home, { recursive: true, force: true });
}, 60_000);

async function start(): Promise<void> {
  soc = await startSoc(database.url, {
    SOC_DATA_DIR: join(home, "data"),
    SOC_LOG_BUCKET: `${bucket.url}/soc`,
    SOC_LOG_BUCKET_KEY_FILE: bucket.keyFile,
  });
  await untilTrue(async () => (await fetch(`${soc.service.url}/ready`)).status === 200);
}

async function untilTrue(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = clock.deadline(WAIT_MS);
  while (!(await isTrue())) await clock.sleep(50, deadline);
}

/** The file of the days in the bucket, which the service writes. */
const listFile = () => join(home, "data/old-days/days.json");
async function readDays(): Promise<{ on_box: string; moved_at: string; logs: number }[]> {
  return JSON.parse(await readFile(listFile(), "utf8").catch(() => '{"days":[]}')).days;
}
const untilDaysAre = (state: string) =>
  untilTrue(async () => {
    const days = await readDays();
    return days.length === OLD_DAYS && days.every(({ on_box }) => on_box === state);
  });

/** Logs that came in during the last so many days. */
async function countLogs(days: number) {
  const { status, body } = await soc.client.post("/siem/aggregate", {
    ...{ query: "source:counted", group_by: ["source"], metrics: ["count"] },
    ...{ from: new Date(Date.now() - days * DAY_MS).toISOString(), to: new Date(Date.now() + 60_000).toISOString() },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return { logs: body.rows[0]?.metrics.count ?? 0, missing: body.missing_stores ?? [] };
}

async function withEngine<Answer>(ask: (engine: BoxEngine) => Promise<Answer>): Promise<Answer> {
  const engine = openBoxEngine(join(home, "data"));
  try {
    return await ask(engine);
  } finally {
    await engine.close();
  }
}

it("moves days of old logs into the bucket, even when it is killed meanwhile", async () => {
  const batch = Array.from({ length: LOGS }, (_, n) => ({ source: "counted", user: `user-${n}`, message: "seen" }));
  expect((await soc.client.post("/siem/ingest", batch)).status).toBe(202);
  await untilTrue(async () => (await countLogs(1)).logs === LOGS);
  await withEngine((engine) => engine.repeatDaysAgo([9, 10], TIMES));
  expect(await countLogs(20)).toMatchObject({ logs: ALL });
  await soc.service.stop();
  await start();
  await untilTrue(async () => (await bucket.list()).some((name) => name.startsWith("soc/logs/")));
  await soc.service.stop("SIGKILL");
  const beforeMs = clock.monotonicMs();
  await start();
  await untilDaysAre("whole");
  console.log(
    JSON.stringify({ what: "moved", days: await readDays(), seconds: (clock.monotonicMs() - beforeMs) / 1000 }),
  );
  expect(await countLogs(20)).toMatchObject({ logs: ALL, missing: [] });
}, 180_000);

it("deletes moved days from the box a day later and finds them in the bucket", async () => {
  const text = await readFile(listFile(), "utf8");
  await soc.service.stop();
  const earlier = new Date(Date.now() - 2 * DAY_MS).toISOString();
  await writeFile(listFile(), text.replaceAll(/"moved_at":"[^"]+"/g, `"moved_at":"${earlier}"`));
  await start();
  await untilDaysAre("gone");
  expect(await withEngine((engine) => engine.countLogs())).toBe(LOGS);
  await untilTrue(async () => (await countLogs(20)).logs === ALL);
  const beforeMs = clock.monotonicMs();
  await countLogs(20);
  console.log(JSON.stringify({ what: "counted in the bucket", logs: ALL, ms: clock.monotonicMs() - beforeMs }));
  const { body } = await soc.client.get("/siem/stats");
  expect(body.total_events).toBe(ALL);
  const authorization = `Bearer ${await requestToken(createSocClient(soc.service.url))}`;
  const readMetrics = async () => (await fetch(`${soc.service.url}/metrics`, { headers: { authorization } })).text();
  await expect.poll(readMetrics).toMatch(/^manara_soc_old_logs_moved_timestamp_seconds \d/m);
}, 120_000);

it("answers from the box and stops in time while the bucket does not answer", async () => {
  await bucket.down();
  expect(await countLogs(1)).toEqual({ logs: LOGS, missing: [] });
  expect(await countLogs(20)).toEqual({ logs: LOGS, missing: ["bucket of old logs"] });
  const found = await soc.client.post("/siem/ingest", [{ source: "counted", user: "new", message: "seen" }]);
  expect(found.status).toBe(202);
  const beforeMs = clock.monotonicMs();
  await soc.service.stop();
  expect(clock.monotonicMs() - beforeMs).toBeLessThan(10_000);
  await start();
  await untilTrue(async () => (await countLogs(1)).logs === LOGS + 1);
  await bucket.up();
  await untilTrue(async () => (await countLogs(20)).logs === ALL + 1);
}, 180_000);
