import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { insertRules } from "../../../testing/fixtures/detection-load.ts";
import { createTestedRules } from "../../../testing/fixtures/detection-rules.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import type { Database } from "../../foundation/database/tables.ts";
import { createAccountingStore } from "../scheduling/accounting.store.ts";
import { createBackfillService } from "../scheduling/backfill.service.ts";
import { createBackfillStore } from "../scheduling/backfill.store.ts";
import { createDispatcherWorker } from "../scheduling/dispatcher.worker.ts";
import { createBatchService, type WorkerRules } from "../scheduling/dispatcher-batch.service.ts";
import { createScheduleStore } from "../scheduling/schedule.store.ts";

const clock = createClock();
const MINUTE_MS = 60_000;
let owner: pg.Client;
let database: Database;

beforeAll(async () => {
  const { url } = await freshDatabase();
  owner = new pg.Client(url);
  await owner.connect();
  database = createDatabase({ url, migrationsFolder: "", clock, log: silentLog, onFirstAnswer: async () => undefined });
});

afterAll(async () => {
  await database.close();
  await owner.end();
});

beforeEach(async () => {
  await owner.query("DELETE FROM detection_matches");
  await owner.query("DELETE FROM detection_runs");
  await owner.query("DELETE FROM detection_counts");
  await owner.query("DELETE FROM detection_backfills");
  await owner.query("DELETE FROM detection_batches");
  await owner.query("DELETE FROM detection_coverage");
  await owner.query("DELETE FROM detection_rules");
});

/** Creates rules dated ten minutes before the current minute, each due every minute. */
async function scheduled(count: number) {
  const now = new Date(Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS);
  const began = new Date(now.getTime() - 10 * MINUTE_MS);
  await insertRules(owner, count, { isScheduled: true });
  await owner.query("UPDATE detection_rules SET created_at = $1, updated_at = $1", [began]);
  const accounting = createAccountingStore(database.db);
  while ((await accounting.sync()) > 0);
  const { rows } = await owner.query<{ id: string }>("SELECT id FROM detection_rules ORDER BY id");
  return {
    accounting,
    schedule: createScheduleStore(database.db),
    rule_ids: rows.map(({ id }) => id),
    began,
    minute: (n: number) => new Date(began.getTime() + n * MINUTE_MS),
  };
}

/** Rules that find nothing, except those whose run fails. */
function rulesThat(fail: (rule_id: string) => boolean): WorkerRules & { ran: string[] } {
  const ran: string[] = [];
  return {
    ran,
    find: async (rule_ids) => rule_ids.map((id) => ({ id, version: 1, source: "", condition: undefined })),
    async run({ id }) {
      ran.push(id);
      if (fail(id)) throw new Problem("unavailable", "the log store is unavailable");
      return { isCapped: false };
    },
    recordQuiet: async () => undefined,
  };
}

function createTestBatchService(schedule: ReturnType<typeof createScheduleStore>, rules: WorkerRules) {
  const scan = { hitsIn: () => Promise.reject(new Error("unexpected call")) };
  return createBatchService({ schedule, rules, scan, silentSources: async () => new Set(), log: silentLog });
}

it("claims each window once under concurrent claims and leaves no gap", async () => {
  const { schedule, rule_ids, minute } = await scheduled(1200);
  const claimed: { rule_id: string; from: Date; to: Date }[] = [];
  async function claimAll(watermark: Date): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      const claim = await schedule.claimDue(watermark);
      ({ hasMore } = claim);
      for (const { from, to, rule_ids: ids } of claim.batches) {
        claimed.push(...ids.map((rule_id) => ({ rule_id, from, to })));
      }
    }
  }
  for (const watermark of [minute(1), minute(2.5), minute(6.1)]) {
    await Promise.all([claimAll(watermark), claimAll(watermark), claimAll(watermark)]);
    // Rules that another transaction had locked are claimed next time.
    await claimAll(watermark);
  }
  for (const rule_id of rule_ids) {
    const windows = claimed.filter((each) => each.rule_id === rule_id).map(({ from, to }) => [from, to]);
    expect(windows).toEqual([
      [minute(0), minute(1)],
      [minute(1), minute(2)],
      [minute(2), minute(6)],
    ]);
  }
});

it("does not close a window before the watermark has passed it, and counts it as late until then", async () => {
  const { schedule, accounting, rule_ids, minute } = await scheduled(1);
  expect(await schedule.claimDue(new Date(minute(1).getTime() - 1))).toEqual({ batches: [], hasMore: false });
  const [account] = await accounting.account(rule_ids);
  expect(account).toMatchObject({ ran_s: 0, skipped_s: 0, capped_s: 0, silent_s: 0 });
  expect(account?.late_s).toBeCloseTo(account?.total_s ?? 0, 3);
  expect(account?.total_s).toBeGreaterThan(599);
});

it("accounts for a batch once if two workers finish it", async () => {
  const { schedule, accounting, rule_ids, minute } = await scheduled(3);
  const { batches } = await schedule.claimDue(minute(1));
  const batch = batches[0] ?? expect.fail("nothing is due");
  const ends = rule_ids.map((rule_id) => ({ rule_id, end: "ran" as const }));
  let recorded = 0;
  const alongside = async () => {
    recorded += 1;
  };
  const finished = await Promise.all([
    schedule.finish(batch, ends, alongside),
    schedule.finish(batch, ends, alongside),
  ]);
  expect(finished.filter((isFinished) => isFinished)).toHaveLength(1);
  expect(recorded).toBe(1);
  for (const { ran_s } of await accounting.account(rule_ids)) expect(ran_s).toBe(60);
});

it("backfills a failed window and accounts for every second at all times", async () => {
  const { schedule, accounting, rule_ids, minute } = await scheduled(3);
  const [failing = ""] = rule_ids;
  let isBroken = true;
  const rules = rulesThat((rule_id) => isBroken && rule_id === failing);
  const { batches } = await schedule.claimDue(minute(1));
  for (const { id } of batches) await createTestBatchService(schedule, rules).run(id);

  const backfills = createBackfillStore(database.db);
  const backfill = createBackfillService({ backfills, rules, log: silentLog });
  const accounts = async () => {
    const found = await accounting.account(rule_ids);
    for (const { total_s, ran_s, late_s, skipped_s, capped_s, silent_s } of found) {
      expect(ran_s + late_s + skipped_s + capped_s + silent_s).toBeCloseTo(total_s, 3);
    }
    return found.map(({ ran_s }) => ran_s);
  };
  expect(await accounts()).toEqual([0, 60, 60]);

  const [first] = await backfills.claimDue(10);
  expect(first).toMatchObject({ rule_id: failing, from: minute(0), to: minute(1), attempts: 1 });
  await backfill.run(first?.id ?? "");
  expect(await accounts()).toEqual([0, 60, 60]);
  expect(await backfills.claimDue(10)).toEqual([]);

  isBroken = false;
  await owner.query("UPDATE detection_backfills SET next_attempt_at = now() - interval '1 s'");
  const [second] = await backfills.claimDue(10);
  expect(second).toMatchObject({ attempts: 2 });
  await backfill.run(second?.id ?? "");
  expect(await accounts()).toEqual([60, 60, 60]);
});

it("gives up a window after ten attempts and accounts for it as skipped", async () => {
  const { schedule, accounting, rule_ids, minute } = await scheduled(1);
  const rules = rulesThat(() => true);
  const { batches } = await schedule.claimDue(minute(1));
  for (const { id } of batches) await createTestBatchService(schedule, rules).run(id);
  const backfills = createBackfillStore(database.db);
  const backfill = createBackfillService({ backfills, rules, log: silentLog });
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await owner.query("UPDATE detection_backfills SET next_attempt_at = now() - interval '1 s'");
    const [due] = await backfills.claimDue(1);
    expect(due?.attempts).toBe(attempt);
    await backfill.run(due?.id ?? "");
  }
  const { rows } = await owner.query("SELECT 1 FROM detection_backfills");
  expect(rows).toEqual([]);
  expect((await accounting.account(rule_ids))[0]).toMatchObject({ skipped_s: 60, ran_s: 0 });
});

it("runs only the rules that had not run before the worker of the batch was killed", async () => {
  const { schedule, rule_ids, minute } = await scheduled(3);
  const { batches } = await schedule.claimDue(minute(1));
  const [done = ""] = rule_ids;
  await owner.query(
    `INSERT INTO detection_runs SELECT gen_random_uuid(), $1, 1, 'scheduled', 'completed', $2, $3, clock_timestamp(),
       clock_timestamp(), 1, 0, 1, '{}', '{}', NULL`,
    [done, minute(0), minute(1)],
  );
  const rules = rulesThat(() => false);
  for (const { id } of batches) await createTestBatchService(schedule, rules).run(id);
  expect(rules.ran.toSorted()).toEqual(rule_ids.slice(1));
});

/** A dispatcher without a log store that records what it enqueues. */
function createTestDispatcher(watermark: Date, isAvailable: () => Promise<boolean>) {
  const enqueued: string[] = [];
  const dispatcher = createDispatcherWorker({
    accounting: createAccountingStore(database.db),
    schedule: createScheduleStore(database.db),
    backfills: createBackfillStore(database.db),
    workflows: {
      enqueue: async (_lane, id) => void enqueued.push(id),
      readStates: async () => new Map(),
      forget: async () => 0,
    },
    scan: { follow: () => undefined },
    logStore: { isAvailable },
    watermark: async () => watermark,
    isAllowed: async () => true,
    clock: { ...clock, sleep: () => clock.sleep(1) },
    log: silentLog,
  });
  return { dispatcher, enqueued };
}

it("picks up all rules of an import before it dispatches any of them", async () => {
  await insertRules(owner, 2500, { isScheduled: true });
  const counts: number[] = [];
  const { dispatcher } = createTestDispatcher(clock.now(), async () => {
    const { rows } = await owner.query<{ count: number }>("SELECT count(*)::int FROM detection_coverage");
    counts.push(rows[0]?.count ?? 0);
    return false;
  });
  dispatcher.start();
  await expect.poll(() => counts.length).toBeGreaterThan(0);
  await dispatcher.close();
  expect(counts[0]).toBe(2500);
});

it("claims rules with the same window start in one batch, however many others are due", async () => {
  const { schedule, began, minute } = await scheduled(1200);
  const BEGINNINGS = 40;
  await owner.query(
    `UPDATE detection_coverage SET window_from = $1::timestamptz + make_interval(secs => numbered.n % ${BEGINNINGS})
    FROM (SELECT rule_id, row_number() OVER (ORDER BY rule_id) AS n FROM detection_coverage) AS numbered
    WHERE numbered.rule_id = detection_coverage.rule_id`,
    [began],
  );
  let batches = 0;
  for (let hasMore = true; hasMore; ) {
    const claim = await schedule.claimDue(minute(1));
    batches += claim.batches.length;
    ({ hasMore } = claim);
  }
  // A claim of 500 rules may split one of the groups.
  expect(batches).toBeGreaterThanOrEqual(BEGINNINGS);
  expect(batches).toBeLessThanOrEqual(BEGINNINGS + 2);
});

it("recovers a batch whose worker was killed between claiming and enqueueing it", async () => {
  const { schedule, minute } = await scheduled(2);
  const { batches } = await schedule.claimDue(minute(1));
  await owner.query("UPDATE detection_batches SET created_at = created_at - interval '2 s'");
  const { dispatcher, enqueued } = createTestDispatcher(minute(1), async () => false);
  dispatcher.start();
  await expect.poll(() => enqueued.at(0)).toBe(`${batches[0]?.id}:1`);
  await dispatcher.close();
});

it("keeps one run of a window if a second worker starts it before the first one has committed", async () => {
  const { rule_ids, minute } = await scheduled(1);
  const [id = ""] = rule_ids;
  const rules = createTestedRules({ db: database.db, logStore: absentLogStore(), clock, ids: createIds(clock) });
  const window = { from: minute(0), to: minute(1) };
  const found = [sampleLog({ id: "log-1", ingested_at: new Date(minute(0).getTime() + 1000).toISOString() })];
  const run = () => rules.run({ id, version: 1 }, window, found);
  expect(await Promise.all([run(), run()])).toEqual([{ isCapped: false }, { isCapped: false }]);
  const { rows } = await owner.query("SELECT window_from, window_to, new_match_count FROM detection_runs");
  expect(rows).toEqual([{ window_from: window.from, window_to: window.to, new_match_count: 1 }]);
});
