import type { Frame } from "@kit/http/frame";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";

const SIGMA = `title: Whoami of a service
id: 5a4c6d1e-0000-4000-8000-000000000001
tags: [attack.t1033]
level: low
logsource: {product: windows, category: process_creation}
detection: {selection: {Image|endswith: whoami.exe}, condition: selection}
`;
let engine: Awaited<ReturnType<typeof startLogStore>>;
let platform: TestPlatform;
let app: Frame;

beforeAll(async () => {
  engine = await startLogStore();
  platform = await testPlatform("real");
  ({ app } = await detectionsPlatform(platform, engine.store));
}, 120_000);

afterAll(async () => {
  await platform.close();
  await engine.stop();
});

async function ask(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, payload?: object, role = "detection") {
  const url = `/api/v1/detections${path}`;
  const answer = await app.inject({ method, url, headers: { "x-role": role }, ...(payload && { payload }) });
  const isJson = String(answer.headers["content-type"]).startsWith("application/json");
  return { status: answer.statusCode, body: isJson ? answer.json() : answer.body, headers: answer.headers };
}

async function addRule(fields: object) {
  const { status, body } = await ask("POST", "/rules", { name: "rule", query: "user:absent", ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

describe("a rule", () => {
  it.each([
    [{}, /^query: /],
    [{ query: " " }, /^query: /],
    [{ query: "*" }, /^query: /],
    [{ type: "threshold", threshold: { count: 3 }, schedule_enabled: true }, /^query: /],
    [{ query: "x", mitre_techniques: ["T1003", "bogus"] }, /^mitre_techniques: 'bogus' /],
  ])("refuses a rule for %j at creation, as a change and as a preview", async (fields, why) => {
    const { id } = await addRule({});
    const given = { query: "", ...fields };
    for (const { status, body } of [
      await ask("POST", "/rules", { name: "r", ...fields }),
      await ask("PATCH", `/rules/${id}`, given),
      await ask("POST", "/rules/preview", fields),
      await ask("POST", `/rules/${id}/preview`, given),
    ]) {
      expect([status, body.detail]).toEqual([400, expect.stringMatching(why)]);
    }
  });

  it.each([{ source: "s" }, { host: "h" }, { match_severity: "high" }])("needs no query with %j", async (fields) => {
    expect((await addRule({ query: "", ...fields })).query).toBe("");
  });

  it("lets a match-all rule from an older release only be disabled", async () => {
    const { id } = await addRule({});
    await platform.db.updateTable("detection_rules").set({ query: "" }).where("id", "=", id).execute();
    expect((await ask("PATCH", `/rules/${id}`, { tags: ["a"] })).status).toBe(400);
    expect((await ask("PATCH", `/rules/${id}`, { enabled: false })).body).toMatchObject({ enabled: false });
  });

  it("deletes a rule, while its alerts and matches remain", async () => {
    const at = platform.clock.now().toISOString();
    const log = sampleLog({ id: platform.ids.next(), source: "deleted", timestamp: at, ingested_at: at });
    await engine.store.insert([log], { token: log.id });
    const rule = await addRule({ query: "", source: "deleted" });
    const run = await ask("POST", `/rules/${rule.id}/run`);
    expect(run.body.run.new_match_count).toBe(1);
    await ask("POST", `/rules/${rule.id}/suppressions`, { name: "s", criteria: { host: "h" }, suppress_for_hours: 1 });
    expect((await ask("DELETE", `/rules/${rule.id}`, undefined, "tier1")).status).toBe(403);
    expect((await ask("DELETE", `/rules/${rule.id}`)).body).toEqual({ deleted: true, id: rule.id });
    expect((await ask("GET", `/rules/${rule.id}`)).status).toBe(404);
    expect((await ask("DELETE", `/rules/${rule.id}`)).status).toBe(404);
    const alerts = await platform.db.selectFrom("alerts").select("id").where("rule_id", "=", rule.id).execute();
    const matches = await platform.db
      .selectFrom("detection_matches")
      .select("id")
      .where("rule_id", "=", rule.id)
      .execute();
    expect([alerts.length, matches.length]).toEqual([1, 1]);
    const audited = await platform.db
      .selectFrom("audit_log")
      .select("action")
      .where("subject_id", "=", rule.id)
      .execute();
    expect(audited.map(({ action }) => action)).toContain("rule.deleted");
    expect((await ask("GET", "/suppressions?q=s")).body.items).toEqual([]);
  });

  it("returns a readable source of a rule, whether imported or not", async () => {
    const imported = await ask("POST", "/rules/import", { yaml: SIGMA });
    const source = await ask("GET", `/rules/${imported.body.items[0].rule.id}/source`);
    expect([source.headers["content-type"], source.body]).toEqual(["application/yaml; charset=utf-8", SIGMA]);
    const own = await addRule({ query: "user:me", tags: ["mine"] });
    expect((await ask("GET", `/rules/${own.id}/source`)).body).toContain("query: user:me\n");
  });
});

describe("the list of rules", () => {
  it.each([
    ["q=MIMIKATZ", ["Mimikatz"]],
    ["q=credential", ["Mimikatz", "Dump"]],
    ["tag=credential", ["Mimikatz", "Dump"]],
    ["technique=t1003.001", ["Dump"]],
    ["technique=t1003", ["Dump"]],
    ["technique=T1003.0", []],
    ["severity=critical", ["Dump"]],
    ["source=edr", ["Mimikatz"]],
    ["origin=own&tag=credential", ["Mimikatz", "Dump"]],
    ["origin=sigma&tag=credential", []],
    ["enabled=false&tag=credential", ["Dump"]],
    ["tag=credential&sort=created_at", ["Mimikatz", "Dump"]],
    ["tag=credential&sort=-created_at", ["Dump", "Mimikatz"]],
  ])("filters and sorts the list of rules by %s", async (query, names) => {
    const known = await ask("GET", "/rules?tag=credential");
    if (known.body.total === 0) {
      await addRule({ name: "Mimikatz", source: "edr", tags: ["credential"] });
      const fields = { alert_severity: "critical", mitre_techniques: ["T1003.001"], enabled: false };
      await addRule({ name: "Dump", tags: ["credential"], ...fields });
    }
    const { status, body } = await ask("GET", `/rules?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    const found = body.items.map(({ name }: { name: string }) => name);
    expect(query.includes("sort") ? found : found.toSorted()).toEqual(
      query.includes("sort") ? names : names.toSorted(),
    );
  });

  it("refuses an unknown order", async () => {
    expect((await ask("GET", "/rules?sort=name")).status).toBe(400);
  });
});

describe("a preview", () => {
  it("accepts a Sigma draft, and reports why it refuses one", async () => {
    const at = platform.clock.now().toISOString();
    const log = sampleLog({
      id: platform.ids.next(),
      source: "sysmon",
      event_code: "1",
      timestamp: at,
      ingested_at: at,
      attributes: { Channel: "Microsoft-Windows-Sysmon/Operational", EventID: 1, Image: "C:\\Windows\\whoami.exe" },
    });
    await engine.store.insert([log, sampleLog({ ...log, id: platform.ids.next(), attributes: {} })], { token: log.id });
    const found = await ask("POST", "/rules/preview", { yaml: SIGMA });
    expect([found.status, found.body.total, found.body.logs?.length]).toEqual([200, 1, 1]);
    const refused = await ask("POST", "/rules/preview", { yaml: SIGMA.replace("endswith", "nonsense") });
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringMatching(/^yaml: .*nonsense/)]);
    const own = await addRule({});
    const foreign = await ask("POST", `/rules/${own.id}/preview`, { yaml: SIGMA });
    expect([foreign.status, foreign.body.detail]).toEqual([400, expect.stringMatching(/^yaml: /)]);
  });
});

describe("a preview of a rule that has run", () => {
  const hour = 3_600_000;
  const source = "previewed";
  let rule: { id: string };
  let alert_id: string;

  beforeAll(async () => {
    const now = platform.clock.now().getTime();
    const at = (hoursAgo: number) => new Date(now - hoursAgo * hour).toISOString();
    const logs = [
      { host: "pv-1", user: "ann", ingested_at: at(30) },
      { host: "pv-1", user: "ann", ingested_at: at(2) },
      { host: "pv-1", user: "", ingested_at: at(2) },
      { host: "pv-2", user: "bob", ingested_at: at(1) },
    ].map((fields) => sampleLog({ id: platform.ids.next(), source, timestamp: fields.ingested_at, ...fields }));
    await engine.store.insert(logs, { token: platform.ids.next() });
    rule = await addRule({ query: "", source, alert_title_template: "{rule_name} on {host}" });
    const ran = await ask("POST", `/rules/${rule.id}/run`);
    expect(ran.body.run.alert_ids).toHaveLength(2);
    const alerts = await platform.db
      .selectFrom("alerts")
      .select(["id", "host"])
      .where("rule_id", "=", rule.id)
      .execute();
    alert_id = alerts.find(({ host }) => host === "pv-1")?.id ?? "";
    await ask("POST", `/rules/${rule.id}/feedback`, { verdict: "true_positive", alert_id });
  });

  it("shows the time, entities, verdicts and cost of the matches", async () => {
    const { status, body } = await ask("POST", `/rules/${rule.id}/preview`, { from: "now-3d" });
    expect(status, JSON.stringify(body)).toBe(200);
    const counts = body.histogram.map(({ count }: { count: number }) => count);
    expect(counts.reduce((sum: number, count: number) => sum + count)).toBe(4);
    const filled = body.histogram.filter(({ count }: { count: number }) => count > 0);
    expect(filled.map(({ count }: { count: number }) => count)).toEqual([1, 2, 1]);
    expect(body.groups.map(({ field, value, count }: Record<string, unknown>) => [field, value, count])).toEqual([
      ["host", "pv-1", 3],
      ["host", "pv-2", 1],
      ["user", "ann", 2],
      ["user", "bob", 1],
    ]);
    expect(body.groups[1].sample_log).toMatchObject({ host: "pv-2", source });
    expect(body.known).toEqual({ true_positive: 2, false_positive: 0 });
    expect(body.scanned).toBeGreaterThanOrEqual(4);
    expect([body.scanned_is_capped, Number.isInteger(body.took_ms)]).toEqual([false, true]);
  });

  it("counts no verdicts on rules that the caller may not see", async () => {
    await ask("PATCH", `/rules/${rule.id}`, { sharing_mode: "private" });
    const draft = await ask("POST", "/rules/preview", { source, from: "now-3d" }, "tier3");
    expect([draft.body.total, draft.body.known]).toEqual([4, { true_positive: 0, false_positive: 0 }]);
    await ask("PATCH", `/rules/${rule.id}`, { sharing_mode: "team" });
    const shared = await ask("POST", "/rules/preview", { source, from: "now-3d" }, "tier3");
    expect(shared.body.known).toEqual({ true_positive: 2, false_positive: 0 });
  });

  it("reports how many alerts a suppression would hide", async () => {
    const preview = (body: object) => ask("POST", `/rules/${rule.id}/suppressions/preview`, body);
    const { body } = await preview({ criteria: { host: "pv-1" }, from: "now-3d" });
    expect([body.total, body.would_suppress, body.hidden_alerts, body.hidden_true_positives]).toEqual([4, 3, 1, 1]);
    const other = await preview({ criteria: { host: "pv-2" } });
    expect([other.body.total, other.body.hidden_alerts, other.body.hidden_true_positives]).toEqual([3, 1, 0]);
    const none = await preview({ criteria: { host: "pv-1" }, from: "now-3d", to: "now-2d" });
    expect([none.body.total, none.body.hidden_alerts]).toEqual([0, 0]);
    const long = await preview({ criteria: { host: "pv-1" }, from: "now-40d" });
    expect([long.status, long.body.detail]).toEqual([400, "from: must be at most 31 days before to"]);
  });
});

describe("a suppression", () => {
  const suppress = async (rule_id: string, fields: object = {}) => {
    const body = { name: "quiet", criteria: { host: "web-1" }, suppress_for_hours: 10, ...fields };
    return ask("POST", `/rules/${rule_id}/suppressions`, body);
  };

  it("lists suppressions over all rules, shortens and ends them, each with an audit entry", async () => {
    const rule = await addRule({});
    const { body: made } = await suppress(rule.id, { name: "Backup server", reason: "runs at night" });
    expect((await ask("GET", "/suppressions?active=true&q=NIGHT")).body.items).toEqual([made]);
    const longer = await ask("PATCH", `/suppressions/${made.id}`, { suppress_for_hours: 11 });
    expect([longer.status, longer.body.detail]).toEqual([400, expect.stringMatching(/^suppress_for_hours: /)]);
    const shorter = await ask("PATCH", `/suppressions/${made.id}`, { suppress_for_hours: 2 });
    expect(Date.parse(shorter.body.expires_at) - Date.parse(made.created_at)).toBe(2 * 3_600_000);
    expect((await ask("DELETE", `/suppressions/${made.id}`, undefined, "tier1")).status).toBe(403);
    expect((await ask("DELETE", `/suppressions/${made.id}`)).body).toEqual({ deleted: true, id: made.id });
    expect((await ask("DELETE", `/suppressions/${made.id}`)).status).toBe(409);
    expect((await ask("GET", "/suppressions?active=true&q=NIGHT")).body.items).toEqual([]);
    expect((await ask("GET", `/rules/${rule.id}/suppressions?active=false`)).body.total).toBe(1);
    const audited = await platform.db
      .selectFrom("audit_log")
      .select("action")
      .where("subject_id", "=", made.id)
      .execute();
    expect(audited.map(({ action }) => action).toSorted()).toEqual([
      "suppression.created",
      "suppression.ended",
      "suppression.updated",
    ]);
  });

  it("answers 404 for a suppression of a hidden rule", async () => {
    const rule = await addRule({ sharing_mode: "private" });
    const { body: made } = await suppress(rule.id, { name: "secret" });
    expect((await ask("GET", "/suppressions?q=secret", undefined, "tier3")).body.items).toEqual([]);
    expect((await ask("DELETE", `/suppressions/${made.id}`, undefined, "tier3")).status).toBe(404);
    expect((await ask("PATCH", "/suppressions/nope", { name: "n" })).status).toBe(404);
  });

  it.each([
    [{ criteria: {} }, /^criteria: must name at least one field/],
    [{ criteria: { host: "web-*" } }, /^criteria.host: 'web-\*' is compared exactly/],
  ])("refuses a suppression for %j with a helpful reason", async (fields, why) => {
    const { status, body } = await suppress((await addRule({})).id, fields);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(why)]);
  });
});
