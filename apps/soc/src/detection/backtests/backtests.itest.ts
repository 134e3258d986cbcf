import { createClock } from "@kit/clock";
import type { Frame } from "@kit/http/frame";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import {
  openLogEngine,
  startWorkerProcess,
  type WorkerProcess,
} from "../../../testing/processes/detection-worker-process.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { createLogReader, type LogReader } from "../execution/log-reader.ts";
import { createVerdictCountsStore } from "../feedback/verdict-counts.store.ts";
import { createBacktestsWriter } from "./backtests.store.ts";
import { createBacktestsWorker } from "./backtests.worker.ts";

const HOUR_MS = 3_600_000;
/** How much of the past the killed worker evaluates. */
const isFull = process.env.PROVE === "full";
const HOURS = 12;
const clock = createClock();
let engine: Awaited<ReturnType<typeof startLogStore>>;
let platform: TestPlatform;
let owner: pg.Client;
let app: Frame;
let made = 0;

beforeAll(async () => {
  engine = await startLogStore();
  platform = await testPlatform("real");
  owner = new pg.Client(platform.url);
  await owner.connect();
  ({ app } = await detectionsPlatform(platform, engine.store));
}, 120_000);

afterAll(async () => {
  await owner.end();
  await platform.close();
  await engine.stop();
});

async function ask(path: string, body?: object, as = "detection", method: "GET" | "POST" = body ? "POST" : "GET") {
  const url = `/api/v1/detections${path}`;
  const answer = await app.inject({ method, url, headers: { "x-role": as }, ...(body && { payload: body }) });
  return { status: answer.statusCode, body: answer.json() };
}

function newSource(): string {
  made += 1;
  return `backtest-${made}`;
}

/** Stores one log per offset, which is its ingest time before now. */
async function store(source: string, agoMs: readonly number[], fields: Partial<LogEvent> = {}): Promise<void> {
  const now = platform.clock.now().getTime();
  const logs = agoMs.map((ms, place) => {
    const at = new Date(now - ms).toISOString();
    const host = `host-${place % 3}`;
    return sampleLog({ id: platform.ids.next(), source, host, timestamp: at, ingested_at: at, ...fields });
  });
  await engine.store.insert(logs, { token: platform.ids.next() });
}

function createTestedWorker(logs: LogReader = createLogReader(engine.store, ALL_SITES), published: object[] = []) {
  return createBacktestsWorker({
    worker: platform.ids.next(),
    db: platform.db,
    logs,
    verdicts: createVerdictCountsStore(platform.db),
    outbox: { publish: async (events) => void published.push(...events) },
    audit: createAuditStore(platform.ids),
    isAllowed: async () => true,
    clock,
    log: silentLog,
  });
}

async function waitFor(id: string, isReady: (backtest: { status: string; progress: number }) => boolean) {
  const deadline = clock.deadline(150_000);
  for (;;) {
    const { status, body } = await ask(`/backtests/${id}`, undefined, "admin");
    if (status === 200 && isReady(body)) return body;
    if (deadline.aborted) throw new Error(`the backtest is ${JSON.stringify(body)}`);
    await clock.sleep(100);
  }
}

const isOver = ({ status }: { status: string }) => status !== "queued" && status !== "running";

async function runAll(id: string, worker = createTestedWorker()) {
  worker.start();
  const ended = await waitFor(id, isOver);
  await worker.close();
  return ended;
}

/** Removes the backtests of a previous test, so that the limits are free for the next one. */
async function clear(): Promise<void> {
  await owner.query("DELETE FROM detection_backtests");
}

describe("a backtest", () => {
  it.each([
    [{}, /^rule/],
    [{ rule: { query: "x" }, days: 31 }, /^days/],
    [{ rule: { query: "x" }, days: 1, from: "now-1h" }, /^days/],
    [{ rule: { query: "x" }, from: "2999-01-01T00:00:00Z", to: "2999-01-02T00:00:00Z" }, /^from/],
    [{ rule: { query: "x" }, from: "now-40d" }, /^from/],
    [{ rule: { query: "host:(" } }, /^query/],
    [{ rule: { query: "*" } }, /^query/],
    [{ rule: { yaml: "title: x" } }, /^yaml/],
  ])("refuses a backtest with %j, naming the field", async (body, why) => {
    const { status, body: answered } = await ask("/backtests", body);
    expect([status, answered.detail]).toEqual([400, expect.stringMatching(why)]);
  });

  it("finds the same as the preview of the same range, and announces its progress and its end", async () => {
    const source = newSource();
    await store(
      source,
      Array.from({ length: 40 }, (_, n) => (n + 1) * 20 * 60_000),
    );
    const rule = { query: `source:${source}` };
    const window = { from: new Date(platform.clock.now().getTime() - 20 * HOUR_MS).toISOString(), to: "now" };
    const { status, body: queued } = await ask("/backtests", {
      rule,
      ...window,
      to: platform.clock.now().toISOString(),
    });
    expect([status, queued]).toEqual([202, expect.objectContaining({ status: "queued", progress: 0, matches: 0 })]);
    const published: { type?: string; subject_id?: string }[] = [];
    const done = await runAll(queued.id, createTestedWorker(createLogReader(engine.store, ALL_SITES), published));
    const preview = (await ask("/rules/preview", { ...rule, from: queued.window_from, to: queued.window_to })).body;
    expect(done).toMatchObject({ status: "done", progress: 1, matches: preview.total, scanned: preview.scanned });
    expect(done.histogram.map(({ count }: { count: number }) => count)).toEqual(
      preview.histogram.map(({ count }: { count: number }) => count),
    );
    expect(done.groups[0]).toMatchObject({ field: "host", count: preview.groups[0].count });
    expect(done).toMatchObject({ known: { true_positive: 0, false_positive: 0 }, error: null, is_capped: false });
    expect(done.took_ms).toBeGreaterThan(0);
    expect(published.every(({ type, subject_id }) => type === "backtest.progress" && subject_id === queued.id)).toBe(
      true,
    );
    expect(published.length).toBeLessThanOrEqual(
      Math.ceil((Date.parse(done.finished_at) - Date.parse(done.created_at)) / 1000),
    );
    const { rows } = await owner.query("SELECT type FROM outbox WHERE subject_id = $1 ORDER BY type", [queued.id]);
    expect(rows.map(({ type }) => type)).toEqual(["backtest.finished", "backtest.requested"]);
    const stored = await owner.query("SELECT 1 FROM detection_backtest_logs WHERE backtest_id = $1", [queued.id]);
    expect(stored.rows).toEqual([]);
  });

  it("counts a log of two slices once, and finds groups that span two slices", async () => {
    const source = newSource();
    // Six hours have slices of 7.5 minutes, so a burst of ten minutes spans two.
    await store(
      source,
      [300, 301, 303, 305, 307, 308, 309].map((minutes) => minutes * 60_000),
      { user: "eve" },
    );
    const rule = {
      ...{ type: "threshold", query: `source:${source}` },
      threshold: { count: 6, group_by: ["user"], within_minutes: 15 },
    };
    const to = platform.clock.now();
    const window = { from: new Date(to.getTime() - 6 * HOUR_MS).toISOString(), to: to.toISOString() };
    const done = await runAll((await ask("/backtests", { rule, ...window })).body.id);
    expect(done).toMatchObject({
      status: "done",
      matches: 7,
      groups: [{ value: "host-0" }, {}, {}, { value: "eve", count: 7 }],
    });
  });

  it("applies the exceptions of a stored rule and the verdicts on its alerts", async () => {
    const source = newSource();
    await store(source, [HOUR_MS, 2 * HOUR_MS], { host: "seen-1" });
    await store(source, [3 * HOUR_MS], { host: "quiet-1" });
    const rule = (await ask("/rules", { name: "stored", query: "", source })).body;
    const { run } = (await ask(`/rules/${rule.id}/run`, undefined, "detection", "POST")).body;
    for (const alert_id of run.alert_ids) {
      await ask(`/rules/${rule.id}/feedback`, { verdict: "true_positive", alert_id });
    }
    const expires_at = new Date(platform.clock.now().getTime() + HOUR_MS).toISOString();
    const exception = { scope: "rule", rule_id: rule.id, query: "host:quiet-1", reason: "r", expires_at };
    expect((await ask("/exceptions", exception)).status).toBe(201);
    const done = await runAll((await ask("/backtests", { rule_id: rule.id, days: 1 })).body.id);
    expect(done).toMatchObject({ rule_id: rule.id, name: "stored", matches: 2, excepted: 1 });
    expect(done.known).toEqual({ true_positive: 2, false_positive: 0 });
    const { items } = (await ask(`/backtests?rule_id=${rule.id}&status=done,failed`)).body;
    expect(items).toMatchObject([{ id: done.id, matches: 2 }]);
  });

  it("cancels a backtest, even in the middle of a slice", async () => {
    await clear();
    const waiting = (await ask("/backtests", { rule: { query: "host:x" } })).body;
    const cancelled = await ask(`/backtests/${waiting.id}/cancel`, {});
    expect([cancelled.status, cancelled.body]).toEqual([
      200,
      expect.objectContaining({ status: "cancelled", known: null }),
    ]);
    expect((await ask(`/backtests/${waiting.id}/cancel`, {})).status).toBe(409);

    const { id } = (await ask("/backtests", { rule: { query: "host:x" } })).body;
    let aborts = 0;
    const hangs: LogReader["search"] = (_condition, _window, _limit, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          aborts += 1;
          reject(new Error("aborted"));
        });
      });
    const worker = createTestedWorker({ ...createLogReader(engine.store, ALL_SITES), search: hangs });
    worker.start();
    await waitFor(id, ({ status }) => status === "running");
    await ask(`/backtests/${id}/cancel`, {});
    await worker.close();
    expect(aborts).toBe(1);
    expect((await ask(`/backtests/${id}`)).body).toMatchObject({ status: "cancelled", progress: 0, error: null });
  });

  it("fails with the reason after the last of several attempts", async () => {
    await clear();
    const { id } = (await ask("/backtests", { rule: { query: "host:x" } })).body;
    await owner.query("UPDATE detection_backtests SET failures = 4 WHERE id = $1", [id]);
    const fails = () => Promise.reject(new Problem("unavailable", "the log engine is starting"));
    const failed = await runAll(id, createTestedWorker({ ...createLogReader(engine.store, ALL_SITES), search: fails }));
    expect(failed).toMatchObject({ status: "failed", error: "the log engine is starting" });
  });

  it("shows a backtest to its requester and to administrators, and limits backtests per caller and in total", async () => {
    await clear();
    const rule = { query: "host:x" };
    const mine = (await ask("/backtests", { rule })).body;
    expect((await ask(`/backtests/${mine.id}`, undefined, "tier2")).status).toBe(404);
    expect((await ask(`/backtests/${mine.id}/cancel`, {}, "tier2")).status).toBe(404);
    expect((await ask("/backtests", undefined, "tier2")).body.items).toEqual([]);
    expect((await ask("/backtests", undefined, "admin")).body.items).toMatchObject([{ id: mine.id }]);
    const more = await Promise.all(Array.from({ length: 5 }, () => ask("/backtests", { rule })));
    expect(more.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 202, 429, 429, 429]);
    expect(more.find(({ status }) => status === 429)?.body.detail).toMatch(/^3 of your backtests are unfinished/);
    await owner.query(`INSERT INTO detection_backtests SELECT (jsonb_populate_record(given, jsonb_build_object(
      'id', gen_random_uuid(), 'requested_by', 'user-' || n))).* FROM detection_backtests AS given, generate_series(1, 47) AS n
      WHERE given.id = '${mine.id}'`);
    const full = await ask("/backtests", { rule }, "tier2");
    expect([full.status, full.body.detail]).toEqual([409, expect.stringMatching(/^50 backtests are unfinished/)]);
    expect((await ask("/backtests", { rule_id: platform.ids.next() })).status).toBe(404);
    await clear();
  });

  it("deletes a backtest a week after its end", async () => {
    await clear();
    const { id } = (await ask("/backtests", { rule: { query: "host:x" } })).body;
    await ask(`/backtests/${id}/cancel`, {});
    const writer = createBacktestsWriter(platform.db);
    expect(await writer.sweep(new Date(platform.clock.now().getTime() - HOUR_MS))).toBe(0);
    expect(await writer.sweep(new Date(platform.clock.now().getTime() + HOUR_MS))).toBe(1);
    expect((await ask(`/backtests/${id}`)).status).toBe(404);
  });
});

it.runIf(isFull)(
  "gives the same result if the worker is killed in the middle",
  async () => {
    await clear();
    const source = newSource();
    await store(
      source,
      Array.from({ length: 25 * HOURS }, (_, n) => (n + 1) * 2 * 60_000),
      { user: "mallory" },
    );
    const rule = {
      ...{ type: "threshold", query: `source:${source}` },
      threshold: { count: 3, group_by: ["user"], within_minutes: 30 },
    };
    const to = platform.clock.now();
    const window = { from: new Date(to.getTime() - HOURS * HOUR_MS).toISOString(), to: to.toISOString() };
    const { id } = (await ask("/backtests", { rule, ...window })).body;
    const door = await openLogEngine(engine.engine, engine.recentFolder);
    let worker: WorkerProcess | undefined;
    try {
      worker = await startWorkerProcess(platform.url ?? "", door);
      const cut = await waitFor(id, ({ progress }) => progress > 0.2);
      await worker.stop("SIGKILL");
      const left = await ask(`/backtests/${id}`);
      expect(left.body).toMatchObject({ status: "running" });
      expect(left.body.progress).toBeGreaterThanOrEqual(cut.progress);
      expect(left.body.progress).toBeLessThan(1);
      worker = await startWorkerProcess(platform.url ?? "", door);
      const resumed = await waitFor(id, isOver);
      const whole = await waitFor((await ask("/backtests", { rule, ...window })).body.id, isOver);
      const compare = ({
        status,
        matches,
        scanned,
        histogram,
        groups,
        known,
        is_capped,
        excepted,
      }: typeof resumed) => ({
        ...{ status, matches, scanned, histogram, groups, known, is_capped, excepted },
      });
      expect(resumed).toMatchObject({ status: "done", matches: 25 * HOURS });
      expect(compare(resumed)).toEqual(compare(whole));
    } finally {
      await worker?.stop("SIGKILL");
      door.close();
    }
  },
  400_000,
);
