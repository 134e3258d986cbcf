import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import type { Frame } from "@kit/http/frame";
import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_LEDGER } from "../../../testing/fixtures/no-ledger.ts";
import { featureApp, type TestPlatform, testPlatform, withClock } from "../../../testing/harness/feature-app.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import { createCases } from "../../cases/cases/cases.feature.ts";
import { createVerdicts } from "../../detection/feedback/verdicts.feature.ts";
import type { Database } from "../../foundation/database/tables.ts";
import { createChangesService } from "../../foundation/runtime/changes.service.ts";
import { compileAlertQuery } from "../../logs/query/alert-query.ts";
import { ALERT_COLUMN_TYPES, ALERT_COLUMNS, type Alert } from "../alerts/alert.ts";
import { createAlertChanges } from "../alerts/alert-changes.ts";
import { createAlerts } from "../module.ts";

type Json = ReturnType<typeof JSON.parse>;

// PROVE=full runs the full size.
const isFull = process.env.PROVE === "full";
const COUNT = isFull ? 100_000 : 2000;
const RACERS = 50;
const clock = createFakeClock(new Date("2026-05-01T08:00:00Z"));
let platform: TestPlatform;
/** Has a generous time limit for queries of the test and for busy machines. */
let patient: Database;
let app: Frame;
let sweep: () => Promise<number>;

beforeAll(async () => {
  platform = await testPlatform("real");
  patient = createDatabase({
    url: platform.url,
    migrationsFolder: join(import.meta.dirname, "../../migrations"),
    clock: createClock(),
    log: silentLog,
    limits: { answerMs: 120_000 },
    onFirstAnswer: async () => undefined,
  });
  ({ app, sweep } = await openApp());
  await seed("many", COUNT);
  await seed("race", 100);
  await seed("few", 12);
}, 600_000);

afterAll(async () => {
  await patient.close();
  await platform.close();
});

async function openApp() {
  const { db } = isFull ? platform : patient;
  const changing = createChangesService({ runtime: platform.runtime, db });
  const base = { ...withClock(platform, clock), db, changes: changing };
  const changes = createAlertChanges(base);
  const cases = createCases(base, { alerts: changes, ledger: NO_LEDGER });
  const needs = { ...cases.services, changes, verdicts: createVerdicts(base), compileQuery: compileAlertQuery };
  const {
    registrations: { routes, sweeps },
  } = createAlerts(base, needs);
  const run = () => sweeps[0]?.run() ?? Promise.resolve(0);
  return { app: await featureApp(platform, ...routes, ...cases.registrations.routes), sweep: run };
}

/** Creates alerts in many states, so that an undo has many values to restore. */
async function seed(source: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += 5000) {
    await sql`
      INSERT INTO alerts (id, fingerprint, title, description, source, severity, reported_severity, status, iocs,
        occurrence_count, first_seen, last_seen, reopened_count, log_ids, mitre_techniques, host, risk_score, assignee,
        acknowledged_at, acknowledged_by, resolved_at, resolution, verdict, verdict_at, tags, filter_keys, created_at, updated_at)
      SELECT gen_random_uuid(), encode(sha256((${source} || place)::bytea), 'hex'), 'Finding ' || place, 'What was seen',
        ${source}::text, severity, severity, status, '{}', 1, at, at, 0, '{}', '{}', 'ws' || place % 7, place % 100,
        CASE place % 3 WHEN 0 THEN 'noor' END,
        CASE WHEN status <> 'new' THEN at END, CASE WHEN status <> 'new' THEN 'noor' END,
        CASE WHEN status = 'false_positive' THEN at END, CASE WHEN status = 'false_positive' THEN 'a scanner' END,
        CASE WHEN status = 'false_positive' THEN 'needs_tuning' END, CASE WHEN status = 'false_positive' THEN at END,
        tags, ARRAY['host:ws' || place % 7] || ARRAY(SELECT 'tag:' || tag FROM unnest(tags) AS tag), at, at
      FROM generate_series(${from + 1}::int, ${Math.min(from + 5000, count)}::int) AS place,
        LATERAL (SELECT timestamptz '2026-04-30' + place * interval '1 millisecond' AS at,
          (ARRAY['info', 'low', 'medium', 'high', 'critical'])[1 + place % 5]::alert_severity AS severity,
          (ARRAY['new', 'triaged', 'investigating', 'false_positive'])[1 + place % 4] AS status,
          CASE WHEN place % 2 = 0 THEN ARRAY['noisy', 'tag ' || place % 10] ELSE '{}' END AS tags) AS made`.execute(
      patient.db,
    );
  }
}

async function post(path: string, payload: object, role = "admin", to = app): Promise<{ status: number; body: Json }> {
  const answered = await to.inject({ method: "POST", url: `/api/v1${path}`, payload, headers: { "x-role": role } });
  return { status: answered.statusCode, body: answered.json() };
}

/** Returns one digest over every field of every alert of a source. */
async function digest(source: string): Promise<string> {
  const { rows } = await sql<{ digest: string }>`
    SELECT md5(string_agg(md5(to_jsonb(alerts)::text), '' ORDER BY id)) AS digest FROM alerts
    WHERE source = ${source}`.execute(patient.db);
  return rows[0]?.digest ?? "";
}

async function count(table: string, where = "true"): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM ${sql.ref(table)} WHERE ${sql.raw(where)}`.execute(patient.db);
  return rows[0]?.count ?? -1;
}

describe("bulk changes by filter", () => {
  it("changes every alert of the filter and restores every field on undo", async () => {
    const before = await digest("many");
    const filter = { source: ["many"] };
    const patch = {
      status: "resolved",
      assignee: "amina",
      severity: "low",
      tags_add: ["swept"],
      tags_remove: ["noisy"],
    };
    const changed = await post("/alerts/bulk", { filter, expected_total: COUNT, ...patch });
    expect(changed).toMatchObject({ status: 200, body: { changed: COUNT, change_id: expect.any(String) } });
    const isChanged = "source = 'many' AND status = 'resolved' AND assignee = 'amina' AND severity = 'low'";
    expect(await count("alerts", `${isChanged} AND 'swept' = ANY(tags) AND NOT 'noisy' = ANY(tags)`)).toBe(COUNT);
    expect(await count("alerts", "source = 'many' AND 'tag:swept' = ANY(filter_keys)")).toBe(COUNT);
    expect(await count("audit_log", "action = 'alert.updated'")).toBe(COUNT);
    expect(await count("outbox", "type = 'alert.updated'")).toBe(COUNT);
    const undone = await post("/alerts/undo", { change_id: changed.body.change_id });
    expect(undone).toEqual({ status: 200, body: { restored: COUNT, refused: [], refused_total: 0 } });
    expect(await digest("many")).toBe(before);
    expect(await count("audit_log", "action = 'alert.undone'")).toBe(COUNT);
    expect((await post("/alerts/undo", { change_id: changed.body.change_id })).status).toBe(409);
  }, 600_000);

  it("lets exactly one of many equal requests succeed", async () => {
    const request = { filter: { source: ["race"], status: ["new"] }, expected_total: 25, status: "triaged" };
    // A second service on the same database is needed, because one service runs its requests sequentially.
    const { app: other } = await openApp();
    const answers = await Promise.all(
      Array.from({ length: RACERS }, (_, at) => post("/alerts/bulk", request, "admin", at % 2 === 0 ? app : other)),
    );
    expect(answers.filter(({ status }) => status === 200).map(({ body }) => body.changed)).toEqual([25]);
    const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body.detail);
    expect(new Set(refused)).toEqual(new Set(["expected_total: the filter now selects 0 alerts"]));
    expect(refused).toHaveLength(RACERS - 1);
  }, 120_000);

  it("skips the excepted alerts, checks the query, and changes nothing if the number differs", async () => {
    const { items }: { items: Alert[] } = (await app.inject({ url: "/api/v1/alerts?source=few" })).json();
    const wanted = items.filter(({ title }) => title.includes("1"));
    const filter = { source: ["few"], query: "title:*1*" };
    const except_ids = [wanted[0]?.id];
    const before = await digest("few");
    const refused = await post("/alerts/bulk", { filter, except_ids, expected_total: wanted.length, tags_add: ["x"] });
    const real = wanted.length - 1;
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: `expected_total: the filter now selects ${real} alerts` },
    });
    expect(await digest("few")).toBe(before);
    const changed = await post("/alerts/bulk", { filter, except_ids, expected_total: real, tags_add: ["x"] });
    expect(changed.body.changed).toBe(real);
    expect(await count("alerts", "source = 'few' AND 'x' = ANY(tags)")).toBe(real);
  });

  it("refuses to undo alerts that have changed since, an expired change and a change of another user", async () => {
    const listed = (await app.inject({ url: "/api/v1/alerts?source=few&status=triaged" })).json();
    const ids: string[] = listed.items.map(({ id }: Alert) => id).toSorted();
    const changed = await post("/alerts/bulk", { ids, severity: "critical" });
    expect(changed.body).toMatchObject({ changed: ids.length, items: ids.map((id) => ({ id, severity: "critical" })) });
    const { change_id } = changed.body;
    await app.inject({ method: "PATCH", url: `/api/v1/alerts/${ids[0]}`, payload: { severity: "info" } });
    expect((await post("/alerts/undo", { change_id }, "tier2")).status).toBe(404);
    expect((await post("/alerts/undo", { change_id })).body).toEqual({
      restored: ids.length - 1,
      refused: [{ id: ids[0], detail: "changed since" }],
      refused_total: 1,
    });
    const late = await post("/alerts/bulk", { ids, severity: "high" });
    await clock.advance(60_001);
    const refused = await post("/alerts/undo", { change_id: late.body.change_id });
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: "change_id: a change can be undone within 60 seconds" },
    });
  });

  it("undoes every field of a single-alert change by the id in its header", async () => {
    const before = await digest("few");
    const listed = (await app.inject({ url: "/api/v1/alerts?source=few" })).json();
    for (const { id } of listed.items) {
      const payload = {
        status: "resolved",
        verdict: "true_positive",
        assignee: "omar",
        tags: ["one"],
        resolution: "x",
      };
      const patched = await app.inject({ method: "PATCH", url: `/api/v1/alerts/${id}`, payload });
      expect(patched.json()).toMatchObject({ id, ...payload });
      const change_id = patched.headers["x-change-id"];
      expect((await post("/alerts/undo", { change_id }, "tier2")).status).toBe(404);
      expect((await post("/alerts/undo", { change_id })).body).toEqual({ restored: 1, refused: [], refused_total: 0 });
      expect((await post("/alerts/undo", { change_id })).status).toBe(409);
    }
    expect(await digest("few")).toBe(before);
    const unknown = { method: "PATCH", url: "/api/v1/alerts/nothing", payload: { severity: "low" } } as const;
    expect((await app.inject(unknown)).statusCode).toBe(404);
  });

  it.each([
    [{ status: "closed" }, 400, "ids: either ids or filter is required"],
    [{ ids: ["019680aa-0000-7000-8000-000000000000"], filter: {}, status: "closed" }, 400, "ids: either ids or filter"],
    [{ filter: { source: ["few"] }, status: "closed" }, 400, "expected_total: is required with filter"],
    [{ filter: { source: ["few"] }, expected_total: 12 }, 400, "body: must have status"],
    [
      { filter: { sauce: ["few"] }, expected_total: 12, status: "closed" },
      400,
      "filter: alerts cannot be filtered by 'sauce'",
    ],
    [{ filter: { source: ["few"], status: ["triaged"] }, expected_total: 3, status: "new" }, 409, "status: alert"],
  ])("refuses the bulk change %j", async (request, status, detail) => {
    const refused = await post("/alerts/bulk", request);
    expect([refused.status, refused.body.detail]).toEqual([status, expect.stringContaining(detail)]);
  });

  it("deletes previous values after the undo period", async () => {
    await clock.advance(11 * 60_000);
    for (let swept = 1; swept > 0; ) swept = await sweep();
    expect([await count("alert_bulk_values"), await count("alert_bulk_changes")]).toEqual([0, 0]);
  });
});

it("stores each column with its database type", async () => {
  const { rows } = await sql<{ name: string; type: string }>`
    SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
    WHERE attrelid = 'alerts'::regclass AND attname = ANY(${[...ALERT_COLUMNS]}::text[])`.execute(platform.db);
  const types = Object.entries(ALERT_COLUMN_TYPES).map(([name, type]) => [
    name,
    type.replace("timestamptz(3)", "timestamp(3) with time zone"),
  ]);
  expect(Object.fromEntries(rows.map(({ name, type }) => [name, type]))).toEqual(Object.fromEntries(types));
});
