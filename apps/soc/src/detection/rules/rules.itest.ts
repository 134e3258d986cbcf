import { createClock } from "@kit/clock";
import type { Frame } from "@kit/http/frame";
import { Problem } from "@kit/problem";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildAttackDocument } from "../../../testing/fixtures/attack-document.ts";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import type { LogEvent } from "../../ports/log-event.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

const clock = createClock();
let engine: Awaited<ReturnType<typeof startLogStore>>;
let platform: TestPlatform;
let world: Awaited<ReturnType<typeof detectionsPlatform>>;
let made = 0;

beforeAll(async () => {
  engine = await startLogStore();
  platform = await testPlatform("real");
  world = await detectionsPlatform(platform, engine.store);
}, 120_000);

afterAll(async () => {
  await platform.close();
  await engine.stop();
});

interface RequestOptions {
  method?: "GET" | "POST" | "PATCH" | "PUT";
  body?: object;
  as?: string;
}

async function ask(path: string, { method, body, as = "admin" }: RequestOptions = {}, on: Frame = world.app) {
  const answer = await on.inject({
    method: method ?? (body ? "POST" : "GET"),
    url: `/api/v1${path}`,
    headers: { "x-role": as },
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

const minutesAgo = (minutes: number, now = clock.now()) => new Date(now.getTime() - minutes * MINUTE_MS).toISOString();

/** Stores logs that happened and were ingested this many minutes ago. */
async function store(source: string, logs: readonly (Partial<LogEvent> & { ago?: number })[]): Promise<LogEvent[]> {
  const now = clock.now();
  const stored = logs.map(({ ago = 5, ...log }) => {
    made += 1;
    const at = minutesAgo(ago, now);
    return sampleLog({ id: `event-${String(made).padStart(6, "0")}`, source, timestamp: at, ingested_at: at, ...log });
  });
  await engine.store.insert(stored, { token: `rules-${made}` });
  return stored;
}

function newSource(): string {
  made += 1;
  return `probe-${made}`;
}

async function addRule(fields: object) {
  const { status, body } = await ask("/detections/rules", { body: { name: `rule ${made}`, ...fields } });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

const run = async (rule_id: string, on?: Frame) => ask(`/detections/rules/${rule_id}/run`, { method: "POST" }, on);
const listTitles = async (source: string) =>
  (await ask(`/alerts?source=${source}`)).body.items.map(({ title }: { title: string }) => title).toSorted();

describe("a suppression", () => {
  it("hides events with exactly its values, counts them, and keeps them searchable", async () => {
    const source = newSource();
    const logs = await store(source, [
      { host: "web-1", attributes: { process: { name: "curl" } } },
      { host: "WEB-1", attributes: { process: { name: "curl" } } },
      { host: "web-1", attributes: { process: { name: "wget" } } },
    ]);
    const rule = await addRule({ source, alert_title_template: "Seen on {host} by {attributes.process.name}" });
    const criteria = { host: "web-1", "attributes.process.name": "curl" };
    const path = `/detections/rules/${rule.id}/suppressions`;
    const preview = await ask(`${path}/preview`, { body: { criteria } });
    expect(preview.body).toMatchObject({ total: 3, would_suppress: 1, logs: [{ id: logs[0]?.id }] });
    const given = { name: "Health check", reason: "ours", criteria, suppress_for_hours: 2 };
    const { status, body } = await ask(path, { body: given });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...given,
      id: expect.any(String),
      rule_id: rule.id,
      created_by: "admin",
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(2 * 60 * MINUTE_MS);
    const ran = await run(rule.id);
    expect(ran.body).toMatchObject({ total: 3, suppressed_count: 1, run: { match_count: 3, suppressed_count: 1 } });
    expect(ran.body.logs).toHaveLength(2);
    expect(await listTitles(source)).toEqual(["Seen on WEB-1 by curl", "Seen on web-1 by wget"]);
    const hidden = await ask(`/detections/rules/${rule.id}/matches?suppressed=true`);
    expect(hidden.body.items).toEqual([
      expect.objectContaining({
        log_id: logs[0]?.id,
        suppression_id: body.id,
        alert_id: null,
        run_id: ran.body.run.id,
      }),
    ]);
    const [first] = logs;
    if (!first) throw new Error("no log");
    expect(await world.detections.suppressions.findActive(platform.db, rule.id, first)).toMatchObject({ id: body.id });
    expect(
      await world.detections.suppressions.findActive(platform.db, rule.id, { ...first, host: "web-2" }),
    ).toBeUndefined();
    expect(await world.detections.suppressions.findActive(platform.db, "nonsense", first)).toBeUndefined();
  });

  it("ends a suppression after its duration", async () => {
    const source = newSource();
    const [log] = await store(source, [{ host: "web-1" }]);
    const rule = await addRule({ source });
    const path = `/detections/rules/${rule.id}/suppressions`;
    const { body } = await ask(path, { body: { name: "s", criteria: { host: "web-1" }, suppress_for_hours: 1 } });
    // As the database owner, because the service itself has no permission to change this.
    const owner = new pg.Client(platform.url);
    await owner.connect();
    await owner.query(
      `UPDATE detection_suppressions SET created_at = created_at - interval '1 hour',
       expires_at = expires_at - interval '1 hour' WHERE id = $1`,
      [body.id],
    );
    await owner.end();
    expect((await ask(`${path}?active=true`)).body.total).toBe(0);
    expect((await ask(`${path}?active=false`)).body.total).toBe(1);
    if (!log) throw new Error("no log");
    expect(await world.detections.suppressions.findActive(platform.db, rule.id, log)).toBeUndefined();
    expect((await run(rule.id)).body).toMatchObject({ total: 1, suppressed_count: 0 });
  });

  it.each([
    [{ name: "s", criteria: {}, suppress_for_hours: 1 }, /^criteria: /],
    [{ name: "s", criteria: { hots: "web-1" }, suppress_for_hours: 1 }, /^criteria\.hots: /],
    [{ name: "s", criteria: { host: ["a"] }, suppress_for_hours: 1 }, /^criteria/],
    [{ name: "s", criteria: { host: "a" } }, /^suppress_for_hours: /],
    [{ name: "s", criteria: { host: "a" }, suppress_for_hours: 0 }, /^suppress_for_hours: /],
    [{ criteria: { host: "a" }, suppress_for_hours: 1 }, /^name: /],
  ])("refuses a suppression for %j with the name of the field", async (body, why) => {
    const rule = await addRule({ host: "absent" });
    const refused = await ask(`/detections/rules/${rule.id}/suppressions`, { body });
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringMatching(why)]);
  });
});

describe("feedback and metrics", () => {
  it("stores verdicts on a rule and sums up the last 24 hours", async () => {
    const before = (await ask("/detections/metrics")).body;
    const source = newSource();
    await store(source, [{ host: "a" }, { host: "b" }, { host: "c" }]);
    const rule = await addRule({ name: "Noisy", source });
    await addRule({ host: "absent", schedule_enabled: true });
    await addRule({ host: "absent", enabled: false });
    const suppression = { name: "s", criteria: { host: "c" }, suppress_for_hours: 1 };
    await ask(`/detections/rules/${rule.id}/suppressions`, { body: suppression });
    await run(rule.id);
    await run(rule.id);
    const given = {
      verdict: "false_positive",
      alert_id: "019680aa-0000-7000-8000-000000000001",
      case_id: null,
      siem_log_id: "event-1",
      notes: "scanner",
      metadata: { ticket: 12 },
    };
    const answered = await ask(`/detections/rules/${rule.id}/feedback`, { body: given, as: "detection" });
    expect(answered.status).toBe(201);
    expect(answered.body).toEqual({
      ...given,
      id: expect.any(String),
      rule_id: rule.id,
      created_by: "detection",
      created_at: expect.any(String),
    });
    await ask(`/detections/rules/${rule.id}/feedback`, { body: { verdict: "true_positive" } });
    expect((await ask(`/detections/rules/${rule.id}/feedback?verdict=false_positive`)).body.items).toEqual([
      answered.body,
    ]);
    expect((await ask(`/detections/rules/${rule.id}/feedback`)).body.total).toBe(2);
    const wrong = await ask(`/detections/rules/${rule.id}/feedback`, { body: { verdict: "fine" } });
    expect([wrong.status, wrong.body.detail]).toEqual([400, expect.stringMatching(/^verdict: /)]);
    const after = (await ask("/detections/metrics")).body;
    expect(Object.keys(after)).toEqual([
      "total_rules",
      "enabled_rules",
      "scheduled_rules",
      "runs_24h",
      "matches_24h",
      "suppressed_24h",
      "top_rules_by_matches",
      "noisiest_rules",
    ]);
    const grown = Object.fromEntries(
      Object.entries(after)
        .filter(([, value]) => typeof value === "number")
        .map(([name, value]) => [name, Number(value) - before[name]]),
    );
    expect(grown).toEqual({
      total_rules: 3,
      enabled_rules: 2,
      scheduled_rules: 1,
      runs_24h: 2,
      matches_24h: 3,
      suppressed_24h: 1,
    });
    expect(after.top_rules_by_matches).toContainEqual({ rule_id: rule.id, name: "Noisy", matches: 3 });
    expect(after.noisiest_rules).toContainEqual({ rule_id: rule.id, name: "Noisy", false_positives: 1 });
  });

  it("excludes a run that began 24 hours ago and includes one a minute later", async () => {
    const rule = await addRule({ host: "absent" });
    const before = (await ask("/detections/metrics")).body.runs_24h;
    for (const ago of [DAY_MINUTES + 1, DAY_MINUTES - 1]) {
      const at = new Date(minutesAgo(ago));
      const times = { window_from: new Date(at.getTime() - 1), window_to: at, started_at: at, finished_at: at };
      await sql`
        WITH ran AS (
          INSERT INTO detection_runs (id, rule_id, rule_version, trigger_mode, status, window_from, window_to, started_at,
            finished_at, match_count, suppressed_count, new_match_count, alert_ids, sample_log_ids)
          VALUES (gen_random_uuid(), ${rule.id}, 1, 'scheduled', 'completed', ${times.window_from}, ${times.window_to},
            ${times.started_at}, ${times.finished_at}, 0, 0, 0, '{}', '{}') RETURNING rule_id, started_at
        )
        INSERT INTO detection_counts (rule_id, hour, runs) SELECT rule_id, date_trunc('hour', started_at, 'UTC'), 1 FROM ran
        ON CONFLICT (rule_id, hour) DO UPDATE SET runs = detection_counts.runs + 1`.execute(platform.db);
    }
    expect((await ask("/detections/metrics")).body.runs_24h - before).toBe(1);
  });
});

describe("a rule of type", () => {
  it("threshold finds enough events of one group within the time limit, even across the start of its window", async () => {
    const source = newSource();
    await store(source, [
      ...[DAY_MINUTES + 3, DAY_MINUTES + 2, DAY_MINUTES - 2].map((ago) => ({ ago, user: "across" })),
      ...[30, 29, 28, 27].map((ago) => ({ ago, user: "burst" })),
      ...[600, 400, 200].map((ago) => ({ ago, user: "slow" })),
      ...[10, 9].map((ago) => ({ ago, user: "few" })),
      ...[DAY_MINUTES + 9, DAY_MINUTES + 8, DAY_MINUTES + 7].map((ago) => ({ ago, user: "before" })),
    ]);
    const threshold = { count: 3, group_by: ["user"], within_minutes: 10 };
    const rule = await addRule({ source, type: "threshold", threshold, alert_title_template: "Burst of {user}" });
    const { body } = await run(rule.id);
    expect(await listTitles(source)).toEqual(["Burst of across", "Burst of burst"]);
    expect(body).toMatchObject({ total: 7, run: { new_match_count: 7 } });
    expect((await run(rule.id)).body.run.new_match_count).toBe(0);
  });

  it("threshold finds a burst that was partly delivered hours later", async () => {
    const source = newSource();
    const early = DAY_MINUTES + 300;
    const late = { timestamp: minutesAgo(early - 2), ago: 5 };
    await store(source, [
      ...[early, early - 1].map((ago) => ({ ago, user: "split" })),
      { ...late, user: "split" },
      ...[early - 30, early - 31].map((ago) => ({ ago, user: "apart" })),
      { ...late, user: "apart" },
      ...[early, early - 1, early - 2].map((ago) => ({ ago, user: "before" })),
    ]);
    const threshold = { count: 3, group_by: ["user"], within_minutes: 10 };
    const rule = await addRule({ source, type: "threshold", threshold, alert_title_template: "Burst of {user}" });
    expect((await run(rule.id)).body).toMatchObject({ total: 3 });
    expect(await listTitles(source)).toEqual(["Burst of split"]);
  });

  it("threshold names its group in the alert, with all hosts of the group and their times", async () => {
    const source = newSource();
    await store(source, [
      ...[30, 29, 28].map((ago) => ({ ago, user: "CORP\\ann", host: `web-${ago}` })),
      ...[30, 29, 28].map((ago) => ({ ago, user: "bob", host: "web-1.corp.example" })),
    ]);
    const threshold = { count: 3, group_by: ["user"], within_minutes: 10 };
    const rule = await addRule({ name: "Burst", source, type: "threshold", threshold });
    await run(rule.id);
    const { items } = (await ask(`/alerts?source=${source}`)).body;
    const [ann, bob] = items.toSorted((a: { title: string }, b: { title: string }) => (a.title < b.title ? -1 : 1));
    expect(ann).toMatchObject({
      title: "Burst on ann",
      group: { user: "CORP\\ann" },
      occurrence_count: 3,
      host: null,
      user: "CORP\\ann",
    });
    expect(ann.entities.hosts.map(({ name }: { name: string }) => name)).toEqual(["web-28", "web-29", "web-30"]);
    expect(Date.parse(ann.event_last_at) - Date.parse(ann.event_first_at)).toBe(2 * 60_000);
    expect(bob).toMatchObject({ title: "Burst on bob", host: "web-1.corp.example", group: { user: "bob" } });
    expect((await ask(`/alerts?source=${source}&host=WEB-1&rule_id=${rule.id}`)).body).toMatchObject({
      total: 1,
      items: [{ id: bob.id }],
    });
  });

  it("new_terms finds values that did not occur in the preceding days", async () => {
    const source = newSource();
    await store(source, [
      { ago: 3 * DAY_MINUTES, user: "noor", host: "web-1" },
      { ago: 10, user: "noor", host: "web-1" },
      { ago: 10, user: "noor", host: "web-2" },
      { ago: 9, user: "noor", host: "web-2" },
      { ago: 9 * DAY_MINUTES, user: "sara", host: "web-1" },
      { ago: 8, user: "sara", host: "web-1" },
      { ago: 7, user: "", host: "web-9" },
    ]);
    const threshold = { fields: ["user", "host"], history_days: 7 };
    const rule = await addRule({ source, type: "new_terms", threshold, alert_title_template: "{user} on {host}" });
    const { body } = await run(rule.id);
    expect(await listTitles(source)).toEqual(["noor on web-2", "sara on web-1"]);
    expect(body.total).toBe(3);
  });

  it("sequence finds steps in the order in which they happened, within the time limit and in one group", async () => {
    const source = newSource();
    const at = minutesAgo(5);
    await store(source, [
      // The logs of a batch share an ingest time; only their event times order them.
      { user: "hit", action: "grant", ingested_at: at, ago: 6 },
      { user: "hit", action: "login", ingested_at: at, ago: 8 },
      { user: "hit", action: "download", ingested_at: at, ago: 7 },
      { user: "turned", action: "download", ingested_at: at, ago: 8 },
      { user: "turned", action: "login", ingested_at: at, ago: 7 },
      { user: "turned", action: "grant", ingested_at: at, ago: 6 },
      { user: "slow", action: "login", ago: 200 },
      { user: "slow", action: "download", ago: 20 },
      { user: "slow", action: "grant", ago: 10 },
    ]);
    const threshold = {
      steps: ["action:login", "action:download", "action:grant"],
      group_by: ["user"],
      within_minutes: 30,
    };
    const rule = await addRule({ source, type: "sequence", threshold, alert_title_template: "Chain of {user}" });
    const { body } = await run(rule.id);
    expect(await listTitles(source)).toEqual(["Chain of hit"]);
    expect(body.total).toBe(3);
  });
});

describe("a preview", () => {
  it("shows what a stored or unsaved rule would have raised, and stores nothing", async () => {
    const source = newSource();
    await store(source, [
      { host: "a", ago: 10 },
      { host: "a", ago: 3 * DAY_MINUTES },
      { host: "b", ago: 10 },
    ]);
    const asked = { source, alert_title_template: "Seen on {host}" };
    const recent = await ask("/detections/rules/preview", { body: asked });
    expect(recent.body).toMatchObject({ total: 2, suppressed_count: 0, is_capped: false, alert_count: 2 });
    const back = { ...asked, from: minutesAgo(4 * DAY_MINUTES), to: minutesAgo(0) };
    expect((await ask("/detections/rules/preview", { body: back })).body.alerts).toEqual([
      { title: "Seen on a", matches: 2 },
      { title: "Seen on b", matches: 1 },
    ]);
    const rule = await addRule({ ...asked, host: "b" });
    const wider = await ask(`/detections/rules/${rule.id}/preview`, { body: { host: null } });
    expect(wider.body.total).toBe(2);
    const long = { from: minutesAgo(40 * DAY_MINUTES) };
    const refused = await ask(`/detections/rules/${rule.id}/preview`, { body: long });
    expect([refused.status, refused.body.detail]).toEqual([400, "from: must be at most 31 days before to"]);
    expect(await listTitles(source)).toEqual([]);
    expect((await ask(`/detections/rules/${rule.id}/runs`)).body.total).toBe(0);
    expect((await ask(`/detections/rules/${rule.id}/matches`)).body.total).toBe(0);
  });

  it("equals a manual run in dry_run", async () => {
    const source = newSource();
    await store(source, [{ host: "a" }]);
    const rule = await addRule({ source });
    const dry = await testPlatform("dry_run");
    await sql`INSERT INTO detection_rules SELECT * FROM jsonb_populate_record(NULL::detection_rules, ${JSON.stringify(
      await readRow(rule.id),
    )}::jsonb)`.execute(dry.db);
    const { app } = await detectionsPlatform(dry, engine.store);
    const { status, body } = await run(rule.id, app);
    expect(status).toBe(200);
    expect(body).toMatchObject({ dry_run: true, preview: { total: 1, run: { status: "preview", match_count: 1 } } });
    expect((await ask(`/detections/rules/${rule.id}/runs`, {}, app)).body.total).toBe(0);
    expect((await ask("/alerts", {}, app)).body.total).toBe(0);
    await dry.close();
  });
});

async function readRow(rule_id: string): Promise<unknown> {
  const { rows } = await sql<{ row: unknown }>`
    SELECT to_jsonb(detection_rules) AS row FROM detection_rules WHERE id = ${rule_id}`.execute(platform.db);
  return rows[0]?.row;
}

const SIGMA = `title: Whoami as a stranger
id: 11111111-2222-4333-8444-555555555555
status: test
author: Ada Example
license: DRL-1.1
level: high
tags: [attack.discovery, attack.t1033, attack.t9999]
logsource: {product: windows, category: process_creation}
detection:
  selection: {Image|endswith: '\\whoami.exe'}
  condition: selection
`;

describe("a Sigma import", () => {
  it("stores author and licence, shows them with each match, and keeps local changes if a newer version is imported", async () => {
    const { status, body } = await ask("/detections/rules/import", { body: { yaml: SIGMA } });
    expect([status, body.refused]).toEqual([201, []]);
    const [{ result, rule }] = body.items;
    expect(result).toBe("created");
    expect(rule).toMatchObject({
      name: "Whoami as a stranger",
      alert_severity: "high",
      mitre_techniques: ["T1033", "T9999"],
      sigma: { id: "11111111-2222-4333-8444-555555555555", author: "Ada Example", license: "DRL-1.1" },
    });
    const again = await ask("/detections/rules/import", { body: { yaml: SIGMA } });
    expect(again.body.items[0]).toMatchObject({ result: "unchanged", rule: { version: 1 } });
    const source = newSource();
    const patch = { alert_severity: "low", source };
    const patched = await ask(`/detections/rules/${rule.id}`, { method: "PATCH", body: patch });
    expect(patched.body.overlay).toEqual(["alert_severity", "source"]);
    const newer = SIGMA.replace("level: high", "level: critical").replace("a stranger", "a guest");
    const updated = await ask("/detections/rules/import", { body: { yaml: newer } });
    expect(updated.body.items[0]).toMatchObject({
      result: "updated",
      rule: { id: rule.id, version: 3, name: "Whoami as a guest", alert_severity: "low", source },
    });
    const windows = { EventID: 1, Channel: "Microsoft-Windows-Sysmon/Operational", Image: "C:\\Windows\\whoami.exe" };
    await store(source, [
      { host: "pc-1", event_code: "1", attributes: windows },
      { host: "pc-1", event_code: "1", attributes: { ...windows, Image: "C:\\Windows\\calc.exe" } },
    ]);
    expect((await run(rule.id)).body.total).toBe(1);
    const { body: matches } = await ask(`/detections/rules/${rule.id}/matches`);
    expect(matches.items).toEqual([
      expect.objectContaining({ author: "Ada Example", license: "DRL-1.1", rule_version: 3 }),
    ]);
    expect(await listTitles(source)).toEqual(["Whoami as a guest on pc-1"]);
  });

  it("reports every refused rule with its reasons", async () => {
    const bad = SIGMA.replace("|endswith", "|sounds_like").replace("11111111", "22222222");
    const alone = await ask("/detections/rules/import", { body: { yaml: bad } });
    expect(alone.status).toBe(400);
    expect(alone.body.detail).toMatch(/^yaml: rule 1 is refused: .*sounds_like/);
    const good = SIGMA.replace("11111111", "33333333");
    const both = await ask("/detections/rules/import", { body: { yaml: `${good}---\n${bad}` } });
    expect(both.status).toBe(201);
    expect(both.body.items).toHaveLength(1);
    expect(both.body.refused).toEqual([
      { document: 2, title: "Whoami as a stranger", reasons: [expect.stringContaining("sounds_like")] },
    ]);
  });

  it("shows the coverage, with unknown ids separately", async () => {
    const shipped = (await ask("/detections/coverage?tag=no-such-tag")).body;
    expect([shipped.imported_at, shipped.techniques.length, shipped.unknown]).toEqual([null, 774, []]);
    expect(shipped.techniques.find(({ id }: { id: string }) => id === "T1003.001")).toEqual({
      ...{ id: "T1003.001", name: "LSASS Memory", tactics: ["credential-access"], rule_count: 0, rule_ids: [] },
      ...{ state: "none", ran_count: 0, alerts_30d: 0 },
    });
    const document = buildAttackDocument();
    const put = await ask("/detections/attack", { method: "PUT", body: document, as: "detection" });
    expect([put.status, put.body.matrices[0]]).toEqual([
      200,
      { name: "enterprise-attack", tactics: 14, techniques: 691 },
    ]);
    const rule = await addRule({ host: "absent", mitre_techniques: ["T1003.001", "T9998"] });
    const { body } = await ask("/detections/coverage");
    const covered = body.techniques.filter(({ rule_ids }: { rule_ids: string[] }) => rule_ids.includes(rule.id));
    expect(covered.map(({ id }: { id: string }) => id)).toEqual(["T1003", "T1003.001"]);
    expect(body.unknown).toContainEqual({ id: "T9998", rule_count: 1, rule_ids: [rule.id] });
    expect(covered[1]).toMatchObject({ state: "waiting", ran_count: 0, alerts_30d: 0 });
    const refused = await ask("/detections/attack", { method: "PUT", body: { m: {} } });
    expect([refused.status, refused.body.detail]).toEqual([400, "m.tactics: must be a list"]);
    expect((await ask("/detections/attack", { method: "PUT", body: document, as: "tier1" })).status).toBe(403);
  });
});

describe("the coverage as a layer of ATT&CK Navigator", () => {
  it("contains the rules that match the filters, of one matrix", async () => {
    const source = newSource();
    await store(source, [{ host: "a" }]);
    const rule = await addRule({ source, tags: ["layered"], mitre_techniques: ["T1059.001", "T0800"] });
    await run(rule.id);
    for (const filter of ["tag=layered", `source=${source}`]) {
      const { status, body } = await ask(`/detections/coverage/layer?${filter}`);
      expect([status, body.domain, body.versions.layer]).toEqual([200, "enterprise-attack", "4.5"]);
      expect(body.techniques.map(({ techniqueID, score }: Record<string, unknown>) => [techniqueID, score])).toEqual(
        expect.arrayContaining([
          ["T1059", 1],
          ["T1059.001", 1],
        ]),
      );
      expect(body.techniques).toHaveLength(2);
      expect(body.techniques[0].metadata).toContainEqual({ name: "alerts_30d", value: "1" });
    }
    const ics = await ask("/detections/coverage/layer?tag=layered&matrix=ics-attack");
    expect(ics.body.techniques.map(({ techniqueID }: { techniqueID: string }) => techniqueID)).toEqual(["T0800"]);
    const unknown = await ask("/detections/coverage/layer?matrix=nope");
    expect([unknown.status, unknown.body.detail]).toEqual([
      400,
      "matrix: must be one of enterprise-attack, ics-attack",
    ]);
  });
});

describe("workers that run rules in the background", () => {
  it("stores matches under the same lock, so that no alert is raised twice", async () => {
    const source = newSource();
    const logs = await store(source, [{ host: "a" }, { host: "b" }]);
    const rule = await addRule({ source, alert_title_template: "Seen on {host}", schedule_enabled: true });
    const { workerRules } = world.detections;
    const [known] = await workerRules.find([rule.id]);
    if (!known) throw new Error("the rule is not found");
    const window = { from: new Date(minutesAgo(60)), to: new Date(minutesAgo(0)) };
    await Promise.all([
      workerRules.raise(known, logs.slice(0, 1)),
      workerRules.run(known, window, logs),
      workerRules.run(known, window, undefined),
      run(rule.id),
    ]);
    const { body } = await ask(`/alerts?source=${source}`);
    expect(body.items.map(({ occurrence_count }: { occurrence_count: number }) => occurrence_count)).toEqual([1, 1]);
    const runs = (await ask(`/detections/rules/${rule.id}/runs`)).body.items;
    // A scheduled window is recorded once, no matter how many workers have run it.
    expect(runs.map(({ trigger_mode }: { trigger_mode: string }) => trigger_mode).toSorted()).toEqual([
      "manual",
      "scheduled",
    ]);
    await platform.db.transaction().execute((tx) => workerRules.recordQuiet(tx, [{ rule: known, window }]));
    expect((await ask(`/detections/rules/${rule.id}/runs?status=completed`)).body.total).toBe(3);
    await ask(`/detections/rules/${rule.id}`, { method: "PATCH", body: { enabled: false } });
    expect(await workerRules.find([rule.id])).toEqual([]);
  });
});

it("records a run that failed because of the log store, with status and error", async () => {
  const failToAnswer = async () => {
    throw new Problem("unavailable", "the log store does not answer");
  };
  const failing = { ...engine.store, search: failToAnswer };
  const { app, detections } = await detectionsPlatform(platform, { ...failing, lane: () => failing });
  const rule = await addRule({ host: "absent", schedule_enabled: true });
  const manual = await run(rule.id, app);
  expect([manual.status, manual.body]).toEqual([503, { detail: "the log store does not answer" }]);
  const window = { from: new Date(minutesAgo(2)), to: new Date(minutesAgo(1)) };
  await expect(detections.workerRules.run({ id: rule.id, version: 1 }, window, undefined)).rejects.toThrow("answer");
  const { body } = await ask(`/detections/rules/${rule.id}/runs`);
  expect(body.items).toEqual([
    expect.objectContaining({ trigger_mode: "scheduled", status: "failed", error: "the log store does not answer" }),
  ]);
});

it("stores a verdict on an alert as feedback on its rule", async () => {
  const source = newSource();
  await store(source, [{ host: "a" }]);
  const rule = await addRule({ source });
  const { body } = await run(rule.id);
  const [alert_id] = body.run.alert_ids;
  for (const patch of [{ verdict: "false_positive" }, { verdict: "false_positive", tags: ["seen"] }]) {
    expect((await ask(`/alerts/${alert_id}`, { method: "PATCH", body: patch })).status).toBe(200);
  }
  expect((await ask(`/detections/rules/${rule.id}/feedback`)).body.items).toEqual([
    expect.objectContaining({ verdict: "false_positive", alert_id, created_by: "admin" }),
  ]);
});

it("answers from the showcase in dummy mode without a database and blocks every change", async () => {
  const dummy = await testPlatform("dummy", "none");
  const { app } = await detectionsPlatform(dummy, engine.store);
  const { body } = await ask("/detections/rules", {}, app);
  expect(body.total).toBe(15);
  for (const { id } of body.items) {
    for (const below of ["", "/runs", "/suppressions", "/feedback", "/versions", "/matches"]) {
      expect((await ask(`/detections/rules/${id}${below}`, {}, app)).status).toBe(200);
    }
  }
  const password = body.items.find(
    ({ name }: { name: string }) => name === "Corporate password submitted to an untrusted site",
  );
  expect((await ask(`/detections/rules/${password.id}/matches`, {}, app)).body.total).toBe(1);
  const week = { from: minutesAgo(7 * DAY_MINUTES) };
  expect((await ask(`/detections/rules/${password.id}/preview`, { body: week }, app)).body.total).toBe(1);
  expect((await ask("/detections/metrics", {}, app)).body).toMatchObject({ total_rules: 15, scheduled_rules: 4 });
  expect((await ask("/detections/coverage", {}, app)).status).toBe(200);
  expect((await run(password.id, app)).status).toBe(403);
  expect((await ask("/detections/rules", { body: { name: "r" } }, app)).status).toBe(403);
  await dummy.close();
});
