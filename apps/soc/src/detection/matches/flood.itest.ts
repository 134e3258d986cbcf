import { createClock } from "@kit/clock";
import type { Frame } from "@kit/http/frame";
import { silentLog } from "@kit/log/silent";
import { afterAll, beforeAll, expect, it } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { Detections } from "../module.ts";
import { createAccountingStore } from "../scheduling/accounting.store.ts";
import { createStreamStore } from "../scheduling/stream.store.ts";
import { createStreamWorker } from "../scheduling/stream.worker.ts";
import { RUN_LIMITS } from "./finding.ts";

const MATCHES = process.env.PROVE === "full" ? 100_000 : 6000;
const BATCH = 10_000;
const clock = createClock();
let engine: Awaited<ReturnType<typeof startLogStore>>;
let platform: TestPlatform;
let app: Frame;
let detections: Detections;

beforeAll(async () => {
  engine = await startLogStore();
  platform = await testPlatform("real");
  // The hourly counts must not cross into the next hour.
  const started = clock.now();
  ({ app, detections } = await detectionsPlatform(platform, engine.store, { ...clock, now: () => started }));
}, 120_000);

afterAll(async () => {
  await platform.close();
  await engine.stop();
});

async function addRule(name: string, alert_title_template = "Seen on {host}") {
  const payload = { name, source: name, query: "flood", alert_title_template };
  const answer = await app.inject({ method: "POST", url: "/api/v1/detections/rules", payload });
  return answer.json();
}

const buildLog = (source: string, n: number): LogEvent => {
  const at = clock.now().toISOString();
  const host = `host-${n}`;
  return sampleLog({ id: platform.ids.next(), source, host, message: "flood", timestamp: at, ingested_at: at });
};

const listAlerts = (source: string) =>
  platform.db.selectFrom("alerts").selectAll().where("source", "=", source).orderBy("id").execute();

async function matchCount(rule_id: string): Promise<number> {
  const { count } = await platform.db
    .selectFrom("detection_matches")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("rule_id", "=", rule_id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

it(`raises one alert that reports the flood if ${MATCHES} logs from as many hosts match on the stream`, {
  timeout: 15 * 60_000,
}, async () => {
  const rule = await addRule("Flood");
  const accounting = createAccountingStore(platform.db);
  await accounting.sync();
  for (let from = 0; from < MATCHES; from += BATCH) {
    const count = Math.min(BATCH, MATCHES - from);
    const logs = Array.from({ length: count }, (_, n) => buildLog("Flood", from + n));
    await engine.store.insert(logs, { token: platform.ids.next() });
  }
  const worker = createStreamWorker({
    worker: "flood",
    stream: createStreamStore(platform.db),
    rules: detections.workerRules,
    listStreaming: async () => detections.workerRules.find((await accounting.listOwned("stream")).map(({ id }) => id)),
    logs: engine.store,
    watermark: async () => clock.now(),
    isAllowed: async () => true,
    clock,
    log: silentLog,
  });
  worker.start();
  const stored = Math.min(MATCHES, RUN_LIMITS.matchesAnHour);
  await expect.poll(() => matchCount(rule.id), { timeout: 14 * 60_000, interval: 500 }).toBe(stored);
  await expect.poll(async () => (await listAlerts("Flood"))[0]?.occurrence_count, { timeout: 60_000 }).toBe(MATCHES);
  await worker.close();
  expect(await listAlerts("Flood")).toMatchObject([
    {
      title: "Rule 'Flood' finds too much and was capped",
      rule_id: rule.id,
      occurrence_count: MATCHES,
      log_ids: { length: 100 },
    },
  ]);
});

it("raises one alert for a slow flood once the rule has reached its hourly limit", async () => {
  const rule = await addRule("Slow");
  const known = { id: rule.id, version: 1, source: "Slow", condition: undefined };
  const each = RUN_LIMITS.alerts - 1;
  const times = Math.ceil(RUN_LIMITS.alertsAnHour / each) + 1;
  for (let turn = 0; turn < times; turn += 1) {
    const logs = Array.from({ length: each }, (_, n) => buildLog("Slow", turn * each + n));
    await detections.workerRules.raise(known, logs);
    // Repeated, as after a worker crash: no match is new.
    await detections.workerRules.raise(known, logs);
  }
  const alerts = await listAlerts("Slow");
  expect(alerts).toHaveLength(RUN_LIMITS.alertsAnHour + 1);
  const capped = alerts.filter(({ title }) => title === "Rule 'Slow' finds too much and was capped");
  expect(capped).toMatchObject([{ occurrence_count: times * each - RUN_LIMITS.alertsAnHour }]);
  expect(capped[0]?.description).toContain("500 alerts within the hour");
  expect(await matchCount(rule.id)).toBe(times * each);
});

it("stores a limited number of matches per hour from the stream, reports it in an alert and counts the time as capped", async () => {
  const rule = await addRule("Steady", "Seen");
  const accounting = createAccountingStore(platform.db);
  await accounting.sync();
  const known = { id: rule.id, version: 1, source: "Steady", condition: undefined };
  const each = RUN_LIMITS.matchesAnHour / 4;
  const firstMs = clock.now().getTime();
  const secondsAt = (turn: number) => new Date(firstMs + turn * 1000).toISOString();
  for (let turn = 0; turn < 6; turn += 1) {
    const logs = Array.from({ length: each }, () => ({ ...buildLog("Steady", 1), ingested_at: secondsAt(turn) }));
    await detections.workerRules.raise(known, logs);
  }
  expect(await matchCount(rule.id)).toBe(RUN_LIMITS.matchesAnHour);
  const alerts = await listAlerts("Steady");
  expect(alerts.map(({ title, occurrence_count }) => [title, occurrence_count])).toEqual([
    ["Seen", RUN_LIMITS.matchesAnHour],
    ["Rule 'Steady' finds too much and was capped", 2 * each],
  ]);
  expect(alerts[1]?.description).toContain("10000 at a time and 20000 an hour");
  // From the first log that was not stored to the last one.
  expect((await accounting.account([rule.id]))[0]?.capped_s).toBeCloseTo(1.001, 3);
});

it("caps a rule that matches every log, whether it runs alone or shares a scan", async () => {
  const window = { from: new Date(Date.UTC(2026, 9, 1)), to: new Date(Date.UTC(2026, 9, 1, 0, 1)) };
  const count = RUN_LIMITS.matches + 1;
  const at = new Date(window.from.getTime() + 1000).toISOString();
  const logs = Array.from({ length: count }, () => ({ ...buildLog("Every", 1), ingested_at: at, timestamp: at }));
  for (const part of [logs.slice(0, 5000), logs.slice(5000)]) {
    await engine.store.insert(part, { token: platform.ids.next() });
  }
  const outcomes: unknown[] = [];
  for (const found of [undefined, logs]) {
    const { id } = await addRule("Every", `Seen ${outcomes.length}`);
    const outcome = await detections.workerRules.run({ id, version: 1 }, window, found);
    outcomes.push([outcome, await matchCount(id)]);
  }
  expect(outcomes).toEqual([
    [{ isCapped: true }, RUN_LIMITS.matches],
    [{ isCapped: true }, RUN_LIMITS.matches],
  ]);
});
