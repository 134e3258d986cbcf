import type { Frame } from "@kit/http/frame";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { insertRules } from "../../../testing/fixtures/detection-load.ts";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { createAccountingStore } from "./accounting.store.ts";
import { createBackfillService } from "./backfill.service.ts";
import { createBackfillStore } from "./backfill.store.ts";
import { createBatchService, type WorkerRules } from "./dispatcher-batch.service.ts";
import { createGapsWriter } from "./gaps.store.ts";
import { createScheduleStore } from "./schedule.store.ts";
import { createStreamStore } from "./stream.store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let platform: TestPlatform;
let owner: pg.Client;
let app: Frame;
/** Three hours before the current hour, when the rules of each test were created. */
let began: Date;

beforeAll(async () => {
  platform = await testPlatform("real");
  owner = new pg.Client(platform.url);
  await owner.connect();
  ({ app } = await detectionsPlatform(platform, absentLogStore()));
});

afterAll(async () => {
  await owner.end();
  await platform.close();
});

beforeEach(async () => {
  for (const table of ["gaps", "backfills", "batches", "runs", "coverage", "rules"]) {
    await owner.query(`DELETE FROM detection_${table}`);
  }
  began = new Date(Math.floor(platform.clock.now().getTime() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS);
  await owner.query("UPDATE detection_stream SET position = $1, history_from = $1::timestamptz - interval '9 days'", [
    began,
  ]);
});

const minute = (n: number) => new Date(began.getTime() + n * MINUTE_MS);

async function createRules(count: number, isScheduled: boolean): Promise<string[]> {
  await insertRules(owner, count, { isScheduled });
  await owner.query("UPDATE detection_rules SET created_at = $1, updated_at = $1", [began]);
  await createAccountingStore(platform.db).sync();
  const { rows } = await owner.query<{ id: string }>("SELECT id FROM detection_rules ORDER BY id");
  return rows.map(({ id }) => id);
}

type Hour = Record<"total_s" | "ran_s" | "late_s" | "skipped_s" | "capped_s" | "silent_s", number> & { hour: string };

async function readHealth(rule_id: string | undefined, query = "") {
  const url = `/api/v1/detections/rules/${rule_id}/health?${query}`;
  return (await app.inject({ url })).json();
}

/** The hours since the rules were created. Asserts that each adds up. */
async function readHours(rule_id: string | undefined): Promise<Hour[]> {
  const { hours, total_s } = await readHealth(rule_id, `from=${began.toISOString()}`);
  for (const hour of hours as Hour[]) {
    const { ran_s, late_s, skipped_s, capped_s, silent_s } = hour;
    expect(ran_s + late_s + skipped_s + capped_s + silent_s).toBeCloseTo(hour.total_s, 3);
  }
  expect((hours as Hour[]).reduce((sum, hour) => sum + hour.total_s, 0)).toBeCloseTo(total_s, 0);
  return hours;
}

function rulesThat(fail: () => boolean): WorkerRules {
  return {
    find: async (rule_ids) => rule_ids.map((id) => ({ id, version: 1, source: "", condition: undefined })),
    async run() {
      if (fail()) throw new Problem("unavailable", "the log store is unavailable");
      return { isCapped: false };
    },
    recordQuiet: async () => undefined,
  };
}

function createBatches(fail: () => boolean, silent: readonly string[] = []) {
  const schedule = createScheduleStore(platform.db);
  const scan = { hitsIn: () => Promise.reject(new Error("unexpected call")) };
  const silentSources = async () => new Set(silent);
  return {
    schedule,
    batches: createBatchService({ schedule, rules: rulesThat(fail), scan, silentSources, log: silentLog }),
  };
}

it("shows the window of a killed run as late in its hours, and as skipped once it is given up", async () => {
  const [rule_id] = await createRules(1, true);
  const { schedule, batches } = createBatches(() => false);
  const claim = async (until: number) => (await schedule.claimDue(minute(until))).batches[0]?.id ?? "";
  await batches.run(await claim(40));
  // The worker of this window is killed: it claims and never finishes.
  const killed = await claim(80);
  await batches.run(await claim(120));
  const [first, second, third] = await readHours(rule_id);
  expect(first).toMatchObject({ hour: began.toISOString(), total_s: 3600, ran_s: 2400, late_s: 1200 });
  expect(second).toMatchObject({ total_s: 3600, ran_s: 2400, late_s: 1200, skipped_s: 0 });
  expect(third).toMatchObject({ total_s: 3600, ran_s: 0, late_s: 3600 });

  await createBatches(() => true).batches.run(killed);
  expect((await readHours(rule_id))[0]).toMatchObject({ ran_s: 2400, late_s: 1200, skipped_s: 0 });

  const backfills = createBackfillStore(platform.db);
  const backfill = createBackfillService({ backfills, rules: rulesThat(() => true), log: silentLog });
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await owner.query("UPDATE detection_backfills SET next_attempt_at = now() - interval '1 s'");
    const [due] = await backfills.claimDue(1);
    await backfill.run(due?.id ?? "");
  }
  const given = await readHours(rule_id);
  expect(given[0]).toMatchObject({ ran_s: 2400, late_s: 0, skipped_s: 1200 });
  expect(given[1]).toMatchObject({ ran_s: 2400, late_s: 0, skipped_s: 1200 });
});

it("shows a late run as ran once it has run", async () => {
  const [rule_id] = await createRules(1, true);
  const { schedule, batches } = createBatches(() => false);
  const claimed = await schedule.claimDue(minute(60));
  expect((await readHours(rule_id))[0]).toMatchObject({ ran_s: 0, late_s: 3600 });
  await batches.run(claimed.batches[0]?.id ?? "");
  expect((await readHours(rule_id))[0]).toMatchObject({ ran_s: 3600, late_s: 0 });
});

it("counts each window once if two services settle the same windows concurrently", async () => {
  const rule_ids = await createRules(3, true);
  const { schedule } = createBatches(() => false);
  const claimed = [await schedule.claimDue(minute(10)), await schedule.claimDue(minute(25))];
  const [one, two] = [createBatches(() => false, [""]).batches, createBatches(() => false, [""]).batches];
  const all = claimed.flatMap(({ batches }) => batches.map(({ id }) => id));
  await Promise.all([...all, ...all].map((id, at) => (at % 2 === 0 ? one : two).run(id)));
  for (const rule_id of rule_ids) {
    expect((await readHours(rule_id))[0]).toMatchObject({ silent_s: 1500, ran_s: 0 });
    expect(await readHealth(rule_id)).toMatchObject({ silent_s: 1500, ran_s: 0 });
  }
});

it("shows the silent and capped time of the stream in its hour, and merges adjacent gaps", async () => {
  const [rule_id = ""] = await createRules(1, false);
  const stream = createStreamStore(platform.db);
  const pass = async (from: number, to: number, found: { silent?: string[]; capped?: string[] }) => {
    const window = { from: minute(from), to: minute(to), generation: await stream.generation() };
    expect(await stream.advance({ failed: [], capped: [], silent: [], ...window, ...found })).toBe(true);
  };
  await pass(0, 30, {});
  await pass(30, 45, { silent: [""] });
  await pass(45, 70, { silent: [""] });
  await pass(70, 80, { capped: [rule_id] });
  const [first, second] = await readHours(rule_id);
  expect(first).toMatchObject({ ran_s: 1800, silent_s: 1800, capped_s: 0, late_s: 0 });
  expect(second).toMatchObject({ ran_s: 0, silent_s: 600, capped_s: 600, late_s: 2400 });
  const { rows } = await owner.query("SELECT reason, window_from, window_to FROM detection_gaps ORDER BY window_from");
  expect(rows).toEqual([
    { reason: "silent", window_from: minute(30), window_to: minute(70) },
    { reason: "capped", window_from: minute(70), window_to: minute(80) },
  ]);
});

it("shows the time while a rule is disabled as skipped, before and after it is enabled again", async () => {
  const [rule_id] = await createRules(1, true);
  const change = async (enabled: boolean, at: Date) => {
    await owner.query("UPDATE detection_rules SET enabled = $1, updated_at = $2", [enabled, at]);
    await createAccountingStore(platform.db).sync();
  };
  await change(false, began);
  expect((await readHours(rule_id))[1]).toMatchObject({ total_s: 3600, skipped_s: 3600 });
  await change(true, minute(90));
  const hours = await readHours(rule_id);
  expect(hours[0]).toMatchObject({ skipped_s: 3600 });
  expect(hours[1]).toMatchObject({ skipped_s: 1800, late_s: 1800 });
});

it("reports since when the history is known, and shows no earlier hour", async () => {
  const [rule_id] = await createRules(1, true);
  const unknown = await readHealth(rule_id);
  expect(unknown).not.toHaveProperty("hours");
  expect(unknown).not.toHaveProperty("history_from");
  await owner.query("UPDATE detection_stream SET history_from = $1", [minute(60)]);
  const week = `from=${new Date(began.getTime() - 48 * HOUR_MS).toISOString()}`;
  const known = await readHealth(rule_id, week);
  expect(known.history_from).toBe(minute(60).toISOString());
  expect(known.hours[0].hour).toBe(minute(60).toISOString());
  const past = await readHealth(rule_id, `${week}&to=${minute(30).toISOString()}`);
  expect(past).toMatchObject({ history_from: minute(60).toISOString(), hours: [] });
  const listed = await app.inject({ url: `/api/v1/detections/health?${week}` });
  expect(listed.json().items[0].hours).toHaveLength(known.hours.length);
});

it("returns no history for a rule that the workers have not seen yet", async () => {
  await insertRules(owner, 1, { isScheduled: true });
  const listed = await app.inject({ url: `/api/v1/detections/health?from=${began.toISOString()}` });
  expect(listed.json().items[0]).toMatchObject({ history_from: null, hours: [] });
});

it("deletes gaps after their retention, and no longer shows their time", async () => {
  const [rule_id = ""] = await createRules(1, true);
  const gaps = createGapsWriter(platform.db);
  await gaps.insert([{ rule_id, reason: "skipped", from: minute(0), to: minute(5) }]);
  expect(await gaps.sweep(minute(5))).toBe(0);
  expect(await gaps.sweep(minute(6))).toBe(1);
  await owner.query("UPDATE detection_stream SET history_from = '2020-01-01'");
  await owner.query("UPDATE detection_coverage SET accounted_from = '2020-01-01'");
  const { history_from } = await readHealth(rule_id, `from=${began.toISOString()}`);
  // 31 days before the end of the current hour, and at most an hour less.
  const days = (platform.clock.now().getTime() - Date.parse(history_from)) / (24 * HOUR_MS);
  expect(days).toBeGreaterThan(30.9);
  expect(days).toBeLessThanOrEqual(31);
});

it.each([
  ["from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", /^from: must be before to$/],
  ["to=2026-01-01T00:00:00Z", /^from: is required with to$/],
  ["from=2026-01-01T00:00:00Z&to=2026-01-08T00:00:01Z", /^from: must be at most 168 whole hours before to$/],
  ["from=yesterday", /^from: /],
])("refuses %s and says why", async (query, why) => {
  const refused = await app.inject({ url: `/api/v1/detections/health?${query}` });
  expect(refused.statusCode).toBe(400);
  expect(refused.json().detail).toMatch(why);
});
