import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import type { AlertsService } from "../../alerts/alerts/alerts.service.ts";
import { createStreamStore } from "./stream.store.ts";
import { createStreamLagWorker } from "./stream-lag.worker.ts";

const clock = createClock();
const CHECKED_MS = 15_000;
let platform: TestPlatform;
let owner: pg.Client;
let alerts: AlertsService;
let running: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  platform = await testPlatform("real");
  owner = new pg.Client(platform.url);
  await owner.connect();
  ({ alerts } = await detectionsPlatform(platform, absentLogStore()));
});

afterAll(async () => {
  await owner.end();
  await platform.close();
});

beforeEach(() => setLag(0));

afterEach(async () => {
  for (const each of running) await each.close();
  running = [];
});

/** Starts the check of a process that has been running for this many seconds. */
function startChecking(sinceSeconds: number): void {
  const now = () => new Date(clock.now().getTime() - sinceSeconds * 1000);
  const worker = createStreamLagWorker({
    stream: createStreamStore(platform.db),
    alerts,
    isAllowed: async () => true,
    clock: { ...clock, now },
    log: silentLog,
  });
  worker.start();
  running.push(worker);
}

async function setLag(seconds: number): Promise<void> {
  await owner.query("UPDATE detection_stream SET position = now() - make_interval(secs => $1)", [seconds]);
}

async function listAlerts() {
  const { rows } = await owner.query(
    "SELECT title, severity, occurrence_count FROM alerts WHERE source = 'detection' ORDER BY title",
  );
  return rows;
}

async function isMarked(): Promise<boolean> {
  const { rows } = await owner.query("SELECT behind_since IS NOT NULL AS marked FROM detection_stream");
  return rows[0]?.marked;
}

it("gives a stream that was behind at the start of the process a minute to catch up", async () => {
  await setLag(3600);
  startChecking(0);
  await clock.sleep(1000);
  expect(await listAlerts()).toEqual([]);
});

it("raises one alert if the stream is a minute behind, and counts the next occurrence in it", async () => {
  await setLag(50);
  startChecking(300);
  startChecking(300);
  await clock.sleep(1000);
  expect(await listAlerts()).toEqual([]);

  await setLag(61);
  const alert = { title: "Stream detection is behind", severity: "high" };
  await expect.poll(listAlerts, { timeout: CHECKED_MS }).toEqual([{ ...alert, occurrence_count: 1 }]);
  await clock.sleep(6000);
  expect(await listAlerts()).toEqual([{ ...alert, occurrence_count: 1 }]);

  await setLag(0);
  await expect.poll(isMarked, { timeout: CHECKED_MS }).toBe(false);
  await setLag(120);
  await expect.poll(listAlerts, { timeout: CHECKED_MS }).toEqual([{ ...alert, occurrence_count: 2 }]);
});
