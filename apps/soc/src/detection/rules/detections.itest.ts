import { createClock } from "@kit/clock";
import type { Frame } from "@kit/http/frame";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import type { LogEvent } from "../../ports/log-event.ts";

const clock = createClock();
let engine: Awaited<ReturnType<typeof startLogStore>>;
let platform: TestPlatform;
let app: Frame;
let made = 0;

beforeAll(async () => {
  engine = await startLogStore();
  platform = await testPlatform("real");
  ({ app } = await detectionsPlatform(platform, engine.store));
}, 120_000);

afterAll(async () => {
  await platform.close();
  await engine.stop();
});

interface RequestOptions {
  method?: "GET" | "POST" | "PATCH" | "PUT";
  body?: object;
  as?: string;
  headers?: Record<string, string>;
}

async function ask(path: string, { method, body, as = "admin", headers = {} }: RequestOptions = {}, on = app) {
  const answer = await on.inject({
    method: method ?? (body ? "POST" : "GET"),
    url: `/api/v1${path}`,
    headers: { "x-role": as, ...headers },
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

/** Stores logs that were ingested `minutes` ago, each from a source that no other test uses. */
async function store(
  logs: readonly Partial<LogEvent>[],
  { minutes = 5, source = newSource() } = {},
): Promise<LogEvent[]> {
  const at = new Date(clock.now().getTime() - minutes * 60_000).toISOString();
  const stored = logs.map((log) => {
    made += 1;
    return sampleLog({ id: `log-${String(made).padStart(8, "0")}`, source, timestamp: at, ingested_at: at, ...log });
  });
  await engine.store.insert(stored, { token: `token-${made}` });
  return stored;
}

function newSource(): string {
  made += 1;
  return `sensor-${made}`;
}

async function addRule(fields: object) {
  const { status, body } = await ask("/detections/rules", { body: { name: `rule ${made}`, ...fields } });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

const run = async (rule_id: string, as = "admin") => ask(`/detections/rules/${rule_id}/run`, { method: "POST", as });
const listAlerts = async (source: string) => (await ask(`/alerts?source=${source}`)).body.items;

describe("a rule", () => {
  it("stores a rule with every documented field", async () => {
    const given = {
      name: "Failed root logins",
      description: "Repeated attempts",
      query: "message:*failed* AND user:root",
      source: "sshd",
      host: "web-1",
      match_severity: "high",
      alert_severity: "critical",
      alert_title_template: "{rule_name} on {host}",
      alert_description_template: "{message}",
      auto_create_case: true,
      schedule_enabled: true,
      schedule_interval_minutes: 15,
      mitre_techniques: ["T1110.001"],
      sharing_mode: "team",
      shared_with_roles: [],
      tags: ["ssh"],
    };
    const { status, body, headers } = await ask("/detections/rules", { body: given, as: "detection" });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...given,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      enabled: true,
      type: "query",
      threshold: null,
      sigma: null,
      overlay: [],
      version: 1,
      created_by: "detection",
      created_at: expect.any(String),
      updated_at: expect.any(String),
      last_run_at: null,
      next_run_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(headers.etag).toBe(`"${body.updated_at}"`);
    const next = Date.parse(body.next_run_at) - Date.parse(body.created_at);
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThanOrEqual(15 * 60_000);
    expect((await ask(`/detections/rules/${body.id}`)).body).toEqual(body);
  });

  it("keeps the roles of a rule that is shared with the team", async () => {
    const sharing = { sharing_mode: "team", shared_with_roles: ["tier1"] };
    const made = await ask("/detections/rules", {
      method: "POST",
      body: { name: "team rule", query: "x", ...sharing },
    });
    expect(made).toMatchObject({ status: 201, body: sharing });
    expect((await ask(`/detections/rules/${made.body.id}`)).body).toMatchObject(sharing);
  });

  it("keeps unknown placeholders as text", async () => {
    const body = { name: "braces", query: "x", alert_title_template: "{count} on {host}", alert_severity: null };
    const made = await ask("/detections/rules", { method: "POST", body });
    expect(made).toMatchObject({
      status: 201,
      body: { alert_title_template: "{count} on {host}", alert_severity: "medium" },
    });
  });

  it.each([
    [{}, /^name: /],
    [{ name: "" }, /^name: /],
    [{ name: "r", query: "user:(root" }, /^query: .+ at character \d+/],
    [{ name: "r", query: "timestamp:>=now-1h" }, /^query: /],
    [{ name: "r", match_severity: "loud" }, /^match_severity: /],
    [{ name: "r", schedule_interval_minutes: 0 }, /^schedule_interval_minutes: /],
    [{ name: "r", sharing_mode: "roles" }, /^shared_with_roles: must name a role/],
    [{ name: "r", type: "threshold" }, /^threshold\.count: /],
    [{ name: "r", type: "threshold", threshold: { count: 3, group_by: ["hots"] } }, /^threshold\.group_by: 'hots'/],
    [{ name: "r", type: "threshold", threshold: { count: 3, steps: ["a", "b"] } }, /^threshold\.steps: /],
    [{ name: "r", type: "threshold", threshold: { count: 3 }, schedule_enabled: false }, /^schedule_enabled: /],
    [{ name: "r", type: "new_terms", threshold: {} }, /^threshold\.fields: /],
    [{ name: "r", type: "sequence", threshold: { steps: ["user:a"] } }, /^threshold\.steps: /],
    [{ name: "r", type: "sequence", threshold: { steps: ["user:a", "user:("] } }, /^threshold\.steps\[1\]: query: /],
    [{ name: "r", threshold: { count: 3 } }, /^threshold\.count: has no meaning/],
    [{ name: "r\u0000" }, /^name: /],
  ])("refuses a rule for %j with the name of the field", async (body, why) => {
    const { status, body: answered } = await ask("/detections/rules", { body });
    expect(status).toBe(400);
    expect(answered).toEqual({ detail: expect.stringMatching(why) });
  });

  it("gives a rule a new version with each change and keeps the old ones", async () => {
    const rule = await addRule({ query: "user:root" });
    const second = await ask(`/detections/rules/${rule.id}`, { method: "PATCH", body: { query: "user:admin" } });
    expect(second.body).toMatchObject({ version: 2, query: "user:admin", name: rule.name });
    const same = await ask(`/detections/rules/${rule.id}`, { method: "PATCH", body: { query: "user:admin" } });
    expect(same.body).toEqual(second.body);
    await ask(`/detections/rules/${rule.id}`, { method: "PATCH", body: { enabled: false }, as: "tier3" });
    const { body } = await ask(`/detections/rules/${rule.id}/versions`);
    expect(body.total).toBe(3);
    expect(
      body.items.map((each: { version: number; changed_by: string; rule: { query: string; enabled: boolean } }) => [
        each.version,
        each.changed_by,
        each.rule.query,
        each.rule.enabled,
      ]),
    ).toEqual([
      [3, "tier3", "user:admin", false],
      [2, "admin", "user:admin", true],
      [1, "admin", "user:root", true],
    ]);
  });

  it("refuses a change by a caller with an outdated version", async () => {
    const rule = await addRule({ host: "absent" });
    const headers = { "if-match": `"${rule.updated_at}"` };
    const path = `/detections/rules/${rule.id}`;
    expect((await ask(path, { method: "PATCH", body: { enabled: false }, headers })).status).toBe(200);
    const late = await ask(path, { method: "PATCH", body: { enabled: true }, headers });
    expect([late.status, late.body.detail]).toEqual([409, expect.stringMatching(/^If-Match: /)]);
  });

  it("shows a rule only to the roles that it is shared with", async () => {
    const secret = await ask("/detections/rules", {
      body: { name: "mine", query: "x", sharing_mode: "private" },
      as: "tier3",
    });
    const path = `/detections/rules/${secret.body.id}`;
    const hunters = await ask("/detections/rules", {
      body: { name: "ours", query: "x", sharing_mode: "roles", shared_with_roles: ["detection"] },
      as: "tier3",
    });
    expect((await ask(path, { as: "detection" })).status).toBe(404);
    for (const below of ["runs", "suppressions", "feedback", "versions", "matches", "source", "health"]) {
      expect((await ask(`${path}/${below}`, { as: "detection" })).status).toBe(404);
    }
    expect((await ask(path, { method: "PATCH", body: { enabled: false }, as: "detection" })).status).toBe(404);
    expect((await run(secret.body.id, "detection")).status).toBe(404);
    expect((await ask(path, { as: "tier3" })).status).toBe(200);
    const ids = async (as: string) =>
      (await ask("/detections/rules?limit=200", { as })).body.items.map(({ id }: { id: string }) => id);
    expect(await ids("detection")).toContain(hunters.body.id);
    expect(await ids("detection")).not.toContain(secret.body.id);
    expect(await ids("tier1")).not.toContain(hunters.body.id);
    const shared = { method: "PATCH", body: { sharing_mode: "team" }, as: "detection" } as const;
    expect((await ask(`/detections/rules/${hunters.body.id}`, shared)).status).toBe(403);
  });
});

describe("a manual run", () => {
  it("returns rule, total, suppressed_count, run and logs, and raises one alert per title", async () => {
    const source = newSource();
    const logs = await store(
      [
        { host: "web-1", user: "root", severity: "high", message: "failed password" },
        { host: "web-1", user: "root", severity: "high", message: "failed password again" },
        { host: "web-2", user: "root", severity: "high", message: "failed password" },
        { host: "web-2", user: "root", severity: "low", message: "failed password" },
        { host: "web-3", user: "noor", severity: "high", message: "failed password" },
      ],
      { source },
    );
    const rule = await addRule({
      query: "user:root failed",
      source,
      match_severity: "high",
      alert_severity: "critical",
      alert_title_template: "Root on {host}",
      alert_description_template: "{user}: {message}",
      mitre_techniques: ["T1110"],
      tags: ["ssh"],
    });
    const { status, body } = await run(rule.id);
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(["logs", "rule", "run", "suppressed_count", "total"]);
    expect(body).toMatchObject({ total: 3, suppressed_count: 0, rule: { id: rule.id } });
    expect(body.run).toMatchObject({
      trigger_mode: "manual",
      status: "completed",
      match_count: 3,
      suppressed_count: 0,
      rule_id: rule.id,
    });
    const matched = logs.slice(0, 3).map(({ id }) => id);
    expect(body.run.sample_log_ids.toSorted()).toEqual(matched);
    expect(body.logs.map(({ id }: LogEvent) => id).toSorted()).toEqual(matched);
    const alerts = await listAlerts(source);
    expect(alerts.map(({ title, occurrence_count }: never) => [title, occurrence_count]).toSorted()).toEqual([
      ["Root on web-1", 2],
      ["Root on web-2", 1],
    ]);
    expect(alerts.find(({ host }: { host: string }) => host === "web-2")).toMatchObject({
      severity: "critical",
      rule_id: rule.id,
      description: "root: failed password",
      log_ids: [logs[2]?.id],
      mitre_techniques: ["T1110"],
      tags: ["ssh"],
      user: "root",
      iocs: [],
    });
    const { body: runs } = await ask(`/detections/rules/${rule.id}/runs`);
    expect(runs.items).toEqual([body.run]);
    expect((await ask(`/detections/rules/${rule.id}`)).body.last_run_at).toBe(body.run.finished_at);
  });

  it("evaluates the last 24 hours of ingest time, regardless of event times", async () => {
    const source = newSource();
    const old = new Date("2020-01-01T00:00:00Z").toISOString();
    await store([{ timestamp: old, message: "in" }], { source, minutes: 23 * 60 });
    await store([{ message: "out" }], { source, minutes: 24 * 60 + 1 });
    const rule = await addRule({ source });
    const { body } = await run(rule.id);
    expect(body.logs.map(({ message }: LogEvent) => message)).toEqual(["in"]);
  });

  it("raises no duplicates in twenty concurrent runs", async () => {
    const source = newSource();
    const logs = await store(
      Array.from({ length: 300 }, (_, at) => ({ host: `host-${at % 30}`, message: "x" })),
      { source },
    );
    const rule = await addRule({ source, alert_title_template: "Seen on {host}", auto_create_case: true });
    const answers = await Promise.all(Array.from({ length: 20 }, () => run(rule.id)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.map(({ body }) => body.total)).toEqual(Array.from({ length: 20 }, () => 300));
    const fresh = answers.map(({ body }) => body.run.new_match_count);
    expect(fresh.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 19 }, () => 0), 300]);
    const alerts = await listAlerts(source);
    expect(alerts).toHaveLength(30);
    for (const { occurrence_count, log_ids, case_id } of alerts) {
      expect([occurrence_count, log_ids.length]).toEqual([10, 10]);
      expect(case_id).not.toBeNull();
    }
    const { body: matches } = await ask(`/detections/rules/${rule.id}/matches?limit=200`);
    expect(matches.total).toBe(logs.length);
    const { rows } = await sql<{ cases: number }>`
      SELECT count(*)::int AS cases FROM cases WHERE title LIKE 'Seen on host-%'`.execute(platform.db);
    expect(rows[0]?.cases).toBe(30);
  }, 60_000);

  it("adds new matches to the existing alert", async () => {
    const source = newSource();
    const [first] = await store([{ message: "x" }], { source });
    const rule = await addRule({ source, alert_title_template: "Seen" });
    await run(rule.id);
    await run(rule.id);
    const [second] = await store([{ message: "x" }], { source, minutes: 0 });
    await run(rule.id);
    const alerts = await listAlerts(source);
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toMatchObject({ occurrence_count: 2, log_ids: [first?.id, second?.id] });
  });

  it("reopens a resolved alert only for a log that is newer than the resolution", async () => {
    const source = newSource();
    await store([{ message: "x" }], { source });
    const rule = await addRule({ source, alert_title_template: "Seen" });
    await run(rule.id);
    const [{ id }] = await listAlerts(source);
    await ask(`/alerts/${id}`, { method: "PATCH", body: { status: "resolved" } });
    await store([{ message: "came in before" }], { source, minutes: 3 });
    await run(rule.id);
    expect((await ask(`/alerts/${id}`)).body).toMatchObject({
      status: "resolved",
      reopened_count: 0,
      occurrence_count: 2,
    });
    await store([{ message: "came in after" }], { source, minutes: 0 });
    await run(rule.id);
    expect((await ask(`/alerts/${id}`)).body).toMatchObject({ status: "new", reopened_count: 1, occurrence_count: 3 });
  });

  it("raises one alert that reports the cap instead of more than a hundred alerts", async () => {
    const source = newSource();
    await store(
      Array.from({ length: 101 }, (_, at) => ({ host: `host-${at}` })),
      { source },
    );
    const rule = await addRule({ name: "Too much", source, alert_title_template: "Seen on {host}" });
    const { body } = await run(rule.id);
    expect(body).toMatchObject({ total: 101, run: { status: "capped", match_count: 101 } });
    const alerts = await listAlerts(source);
    expect(alerts).toHaveLength(1);
    expect(alerts[0].title).toBe("Rule 'Too much' finds too much and was capped");
    expect(alerts[0].description).toContain("101 alerts");
    expect(alerts[0].log_ids).toHaveLength(100);
    expect((await run(rule.id)).body.run).toMatchObject({ status: "completed", new_match_count: 0 });
    expect((await listAlerts(source))[0].occurrence_count).toBe(101);
  });

  it("raises one alert if 100,000 logs match", { timeout: 120_000 }, async () => {
    const source = newSource();
    for (let part = 0; part < 4; part += 1) {
      await store(
        Array.from({ length: 25_000 }, (_, at) => ({ host: `host-${part}-${at}`, message: "flood" })),
        { source },
      );
    }
    const rule = await addRule({ name: "Flood", source, alert_title_template: "Seen on {host}", query: "flood" });
    const { status, body } = await run(rule.id);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ total: 100_000, run: { status: "capped", match_count: 100_000 } });
    expect(body.logs).toHaveLength(50);
    const alerts = await listAlerts(source);
    expect(alerts).toHaveLength(1);
    expect(alerts[0].description).toContain("100000");
  });

  it("refuses a manual run without search permission and for unknown rules", async () => {
    const rule = await addRule({ host: "absent" });
    expect((await run(rule.id, "tier1")).status).toBe(403);
    expect((await run("019680aa-0000-7000-8000-000000000000")).status).toBe(404);
    expect((await run("nonsense")).status).toBe(404);
  });
});
