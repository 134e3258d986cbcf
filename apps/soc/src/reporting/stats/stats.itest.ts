import { createFakeClock } from "@kit/clock/fake";
import { afterEach, describe, expect, it } from "vitest";
import { type ReportsApp, startReports } from "../../../testing/harness/reports-app.ts";
import { toRow } from "../../alerts/alerts/alert.ts";
import { buildShowcase } from "../../demo/showcase.ts";
import { periodInMemory } from "./period.ts";
import { createStatsService } from "./stats.service.ts";
import { createStatsStore } from "./stats.store.ts";
import { countInMemory, NO_FEATURE_COUNTS } from "./stats.ts";

const DAY_MS = 24 * 60 * 60_000;
const NOW = new Date("2026-11-15T12:34:56.789Z");

let started: ReportsApp;
afterEach(() => started.platform.close());

/** Stores the showcase story in a database. */
async function storeShowcase() {
  const { db } = started.platform;
  const { alerts, cases } = buildShowcase(NOW);
  const rows = cases.map(({ timeline, observables, evidence, comments, tasks, ...row }) => row);
  await db.insertInto("cases").values(rows).execute();
  await db.insertInto("alerts").values(alerts.map(toRow)).execute();
  return { alerts, cases: rows };
}

describe("statistics of the database", () => {
  it("equal those of the showcase in memory", async () => {
    started = await startReports("real");
    const { alerts, cases } = await storeShowcase();
    const store = createStatsStore(started.platform.db, async () => NO_FEATURE_COUNTS);
    expect(await store.look(NOW)).toEqual({ ...countInMemory(alerts, cases, NOW), ...NO_FEATURE_COUNTS });
    for (const days of [1, 3, 30, 100]) {
      const period = { from: new Date(NOW.getTime() - days * DAY_MS), to: new Date(NOW.getTime() - 3_600_000) };
      expect(await store.period(period)).toEqual(periodInMemory(alerts, cases, period));
    }
  });

  it("contain a trend of full hours, the last one with the alerts of the current hour", async () => {
    started = await startReports("real");
    const { alerts } = await storeShowcase();
    const times = [
      "2026-11-14T12:59:59.999Z",
      "2026-11-14T13:00:00Z",
      "2026-11-15T11:59:59.999Z",
      "2026-11-15T12:00:00Z",
    ];
    const { db } = started.platform;
    await db
      .updateTable("alerts")
      .set({ created_at: new Date("2026-01-01T00:00:00Z") })
      .execute();
    for (const [at, time] of times.entries()) {
      await db
        .updateTable("alerts")
        .set({ created_at: new Date(time) })
        .where("id", "=", alerts[at]?.id ?? "")
        .execute();
    }
    const store = createStatsStore(db, async () => NO_FEATURE_COUNTS);
    const { alert_trend, alerts: counts } = await store.look(NOW);
    expect(alert_trend).toHaveLength(24);
    expect(alert_trend.filter(({ count }) => count > 0)).toEqual([
      { hour: new Date("2026-11-14T13:00:00Z"), count: 1 },
      { hour: new Date("2026-11-15T11:00:00Z"), count: 1 },
      { hour: new Date("2026-11-15T12:00:00Z"), count: 1 },
    ]);
    expect(counts.new_24h).toBe(4);
  });

  it("come from one snapshot, including the counts of other features", async () => {
    started = await startReports("real");
    const { db } = started.platform;
    const { alerts } = await storeShowcase();
    const store = createStatsStore(db, async (tx) => {
      // Another transaction closes all alerts while the numbers are read.
      await db.updateTable("alerts").set({ status: "closed", resolved_at: NOW }).execute();
      const { count } = await tx
        .selectFrom("alerts")
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .where("status", "=", "new")
        .executeTakeFirstOrThrow();
      return { ...NO_FEATURE_COUNTS, approvals_pending: Number(count) };
    });
    const snapshot = await store.look(NOW);
    expect(snapshot.alerts.total).toBe(alerts.length);
    expect(snapshot.approvals_pending).toBe(snapshot.alerts.by_status.new);
    expect(snapshot.approvals_pending).toBeGreaterThan(0);
  });

  it("contain every documented field, and zeros without data", async () => {
    started = await startReports("real");
    const overview = (await started.get("/stats/overview")).json();
    expect(overview).toEqual({
      alerts: {
        total: 0,
        by_status: { new: 0, triaged: 0, investigating: 0, resolved: 0, closed: 0, false_positive: 0 },
        by_severity: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
        new_24h: 0,
      },
      cases: {
        total: 0,
        by_status: { open: 0, investigating: 0, pending_approval: 0, contained: 0, resolved: 0, closed: 0 },
        open: 0,
      },
      approvals_pending: 0,
      agents: { active: 0, disabled: 0, error: 0 },
      endpoints: { total: 0, isolated: 0 },
      devices: { total: 0, by_verdict: {} },
      detections: { rules: 0, runs_24h: 0, matches_24h: 0 },
      mtta_minutes: null,
      mttr_minutes: null,
      generated_at: expect.any(String),
    });
    const dashboard = (await started.get("/dashboard/stats", "tier1")).json();
    expect(dashboard).toEqual({
      ...overview,
      alert_trend: expect.any(Array),
      top_sources: [],
      top_rules: [{ rule_id: "r-1", name: "Seen by tier1", matches: 7 }],
      recent_alerts: [],
      recent_cases: [],
    });
    expect(dashboard.alert_trend).toHaveLength(24);
  });

  it("are read once for concurrent requests and cached for five seconds", async () => {
    started = await startReports("real");
    const clock = createFakeClock(NOW);
    let reads = 0;
    const store = createStatsStore(started.platform.db, async () => {
      reads += 1;
      return NO_FEATURE_COUNTS;
    });
    const { runtime } = started.platform;
    const stats = createStatsService({
      runtime,
      stores: { database: store, showcase: store },
      topRules: async () => [],
      clock,
    });
    await Promise.all(Array.from({ length: 20 }, () => stats.overview()));
    expect(reads).toBe(1);
    await clock.advance(4999);
    expect((await stats.overview()).generated_at).toEqual(NOW);
    await clock.advance(1);
    expect((await stats.overview()).generated_at).toEqual(new Date(NOW.getTime() + 5000));
    expect(reads).toBe(2);
  });

  it("time out after 1.5 s when the database does not answer, and do not cache a failure", async () => {
    started = await startReports("real");
    const clock = createFakeClock(NOW);
    const healthy = createStatsStore(started.platform.db, async () => NO_FEATURE_COUNTS);
    const { promise: never, reject } = deferred();
    const reads = [() => never, () => healthy.look(NOW)];
    const store = { ...healthy, look: async () => (reads.shift() ?? (() => healthy.look(NOW)))() };
    const stats = createStatsService({
      runtime: started.platform.runtime,
      stores: { database: store, showcase: store },
      topRules: async () => [],
      clock,
    });
    const asked = expect(stats.overview()).rejects.toThrow("the statistics took too long");
    while (reads.length === 2) await new Promise(setImmediate);
    await clock.advance(1500);
    await asked;
    reject(new Error("the connection was lost"));
    await new Promise(setImmediate);
    await expect(stats.overview()).resolves.toMatchObject({ alerts: { total: 0 } });
  });
});

function deferred() {
  let reject = (_: Error): void => undefined;
  const promise = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  return { promise, reject };
}

describe("statistics API without a database", () => {
  it("counts the showcase in dummy", async () => {
    started = await startReports("dummy", "none");
    const dashboard = (await started.get("/dashboard/stats")).json();
    expect(dashboard.alerts.total).toBe(started.showcase.alerts.length);
    expect(dashboard.cases).toMatchObject({ total: 4, open: 3, by_status: { pending_approval: 1, closed: 1 } });
    expect(dashboard.recent_cases[0].title).toBe("Unknown firmware on a recitation player and a pump gateway");
    const { alert_trend } = dashboard;
    for (const { hour } of alert_trend) expect(hour).toMatch(/:00:00\.000Z$/);
    const inTrend = started.showcase.alerts.filter(
      ({ created_at }) => created_at >= new Date(alert_trend[0].hour) && created_at < new Date(dashboard.generated_at),
    );
    expect(alert_trend.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(inTrend.length);
  });

  it("answers 503 in real", async () => {
    started = await startReports("real", "none");
    expect((await started.get("/stats/overview")).statusCode).toBe(503);
    expect((await started.get("/dashboard/stats")).statusCode).toBe(503);
  });
});
