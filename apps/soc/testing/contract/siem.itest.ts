import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleLog } from "../servers/log-engine.ts";
import { type ContractPlatform, contractPlatform, NOTHING } from "./contract-platform.ts";
import { quote } from "./platform-contract.ts";

const clock = createClock();
const ids = createIds(clock);
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

let platform: ContractPlatform;
beforeAll(async () => {
  platform = await contractPlatform({ hasLogs: true });
});
afterAll(() => platform.close());

/** Stores logs with the current time, one per host, and returns their ids. */
async function store(message: string, ...hosts: string[]): Promise<string[]> {
  const logs = hosts.map((host, at) => {
    const now = new Date(clock.now().getTime() - 1000 * (hosts.length - at)).toISOString();
    const fields = { source: "contract", host, message, severity: "high" as const };
    return sampleLog({ id: ids.next(), timestamp: now, ingested_at: now, ...fields });
  });
  await platform.logStore.insert(logs, { token: ids.next() });
  return logs.map(({ id }) => id);
}

const addRule = (fields: object = {}) =>
  platform.send("POST /detections/rules", { name: "a rule", query: "message:nothing", ...fields });

describe("the SIEM", () => {
  it("GET /siem/logs finds a stored log", async () => {
    const [id] = await store("found", "ws-1");
    const { items } = await platform.send("GET /siem/logs?query=message:found");
    expect(items).toEqual([expect.objectContaining({ id, host: "ws-1", message: "found" })]);
  });

  it.each(["sources", "stats"])("GET /siem/%s returns an object", async (path) => {
    expect(await platform.send(`GET /siem/${path}`)).toEqual(expect.any(Object));
  });
});

describe("a saved hunt", () => {
  quote(
    "Fields: title, description, query, source, severity, host, sharing_mode (value roles is used with shared_with_roles), shared_with_roles (array of role names), tags (array).",
  );
  const HUNT = {
    title: "Beacons",
    description: "Who calls home",
    query: "message:beacon",
    source: "contract",
    severity: "high",
    host: "ws-2",
    sharing_mode: "roles",
    shared_with_roles: ["tier1", "tier3"],
    tags: ["c2"],
  };

  it.each(Object.keys(HUNT))("stores %s, and keeps it when another field changes", async (field) => {
    const value = Reflect.get(HUNT, field);
    const created = await platform.send("POST /siem/hunts", HUNT);
    expect(created).toMatchObject({ [field]: value });
    const other = field === "tags" ? { title: "Changed" } : { tags: ["changed"] };
    const changed = await platform.send(`PATCH /siem/hunts/${created.id}`, other);
    expect(changed).toMatchObject({ [field]: value });
    const { items } = await platform.send("GET /siem/hunts?limit=200");
    expect(items).toContainEqual(expect.objectContaining({ id: created.id, [field]: value }));
  });

  it.each([
    ["title", "Renamed"],
    ["description", "Changed"],
    ["query", "message:other"],
    ["source", "other"],
    ["severity", "low"],
    ["host", "ws-9"],
    ["shared_with_roles", ["tier2"]],
    ["tags", []],
  ])("changes %s", async (field, value) => {
    const { id } = await platform.send("POST /siem/hunts", HUNT);
    expect(await platform.send(`PATCH /siem/hunts/${id}`, { [field]: value })).toMatchObject({ id, [field]: value });
  });

  it.each([
    ["title", 1],
    ["description", {}],
    ["query", 1],
    ["source", []],
    ["severity", "urgent"],
    ["host", 1],
    ["sharing_mode", "everyone"],
    ["shared_with_roles", "tier1"],
    ["shared_with_roles", [1]],
    ["tags", "c2"],
  ])("refuses %s = %j", async (field, value) => {
    expect((await platform.ask("POST /siem/hunts", { ...HUNT, [field]: value })).status).toBe(400);
  });

  it("shares a hunt with the named roles and with no other", async () => {
    const { id } = await platform.send("POST /siem/hunts", { ...HUNT, shared_with_roles: ["tier1"] }, "tier3");
    const seenBy = async (role: string) => {
      const { items } = await platform.send("GET /siem/hunts?limit=200", undefined, role);
      return items.some((hunt: { id: string }) => hunt.id === id);
    };
    expect([await seenBy("tier1"), await seenBy("tier2")]).toEqual([true, false]);
  });

  it("accepts shared_with_roles with the sharing mode team", async () => {
    const body = { ...HUNT, sharing_mode: "team", shared_with_roles: ["tier1"] };
    expect(await platform.send("POST /siem/hunts", body)).toMatchObject({
      sharing_mode: "team",
      shared_with_roles: ["tier1"],
    });
  });

  it("returns the latest matches of a hunt when it runs", async () => {
    const [oldest, , newest] = await store("run-me", "ws-3", "ws-3", "ws-3");
    const { id } = await platform.send("POST /siem/hunts", { title: "Run", query: "message:run-me" });
    const { logs } = await platform.send(`POST /siem/hunts/${id}/run`, {});
    expect(logs.map((log: { id: string }) => log.id)).toEqual([newest, expect.any(String), oldest]);
  });

  it("answers 404 for an unknown hunt", async () => {
    expect((await platform.ask(`PATCH /siem/hunts/${NOTHING}`, { title: "x" })).status).toBe(404);
    expect((await platform.ask(`POST /siem/hunts/${NOTHING}/run`, {})).status).toBe(404);
  });
});

describe("promoting a log", () => {
  quote("alerts:write, optionally cases:write; body create_case (boolean), rule_id |");

  it("creates an alert without a case by default", async () => {
    const [id] = await store("promote 1", "ws-4");
    const { total } = await platform.send("GET /cases");
    const answer = await platform.send(`POST /siem/logs/${id}/promote`, {});
    expect(answer.alert.id).toEqual(expect.any(String));
    expect(await platform.send(`GET /alerts/${answer.alert.id}`)).toMatchObject({ status: "new" });
    expect((await platform.send("GET /cases")).total).toBe(total);
  });

  it("also creates a case with create_case true", async () => {
    const [id] = await store("promote 2", "ws-4");
    const { alert, case: opened } = await platform.send(`POST /siem/logs/${id}/promote`, { create_case: true });
    await platform.send(`DELETE /cases/${opened.id}`);
    expect(await platform.send(`GET /alerts/${alert.id}`)).toMatchObject({ status: "triaged" });
  });

  it.each([
    ["alerts:write", false, [200, 201]],
    ["alerts:write", true, [403]],
    ["alerts:write cases:write", true, [200, 201]],
  ])("with %s and create_case %s answers one of %j", async (scopes, create_case, statuses) => {
    const [id] = await store(`promote by ${scopes} ${create_case}`, "ws-4");
    const { status } = await platform.askWith(await platform.keyFor(scopes), `POST /siem/logs/${id}/promote`, {
      create_case,
    });
    expect(statuses).toContain(status);
  });

  it("uses the templates of the rule that rule_id names", async () => {
    const [id] = await store("promote 3", "ws-5");
    const rule = await addRule({ query: "message:promote", alert_title_template: "{rule_name}: {message} on {host}" });
    const { alert } = await platform.send(`POST /siem/logs/${id}/promote`, { rule_id: rule.id });
    expect(alert).toMatchObject({ title: "a rule: promote 3 on ws-5" });
  });

  it.each([
    ["create_case", "yes"],
    ["rule_id", 1],
  ])("refuses %s = %j", async (field, value) => {
    const [id] = await store("promote 4", "ws-4");
    expect((await platform.ask(`POST /siem/logs/${id}/promote`, { [field]: value })).status).toBe(400);
  });

  it("answers 404 for an unknown log", async () => {
    expect((await platform.ask(`POST /siem/logs/${NOTHING}/promote`, {})).status).toBe(404);
  });

  describe(
    quote(
      "When the supplied rule has an active suppression matching the event, the promote route returns 409 and creates nothing.",
    ),
    () => {
      const suppress = (rule_id: string, criteria: object) =>
        platform.send(`POST /detections/rules/${rule_id}/suppressions`, {
          ...{ name: "quiet", reason: "a scanner", suppress_for_hours: 1, criteria },
        });

      it.each([false, true])("answers 409 with create_case %s", async (create_case) => {
        const [id] = await store(`suppressed ${create_case}`, "scanner");
        const rule = await addRule({ query: "message:suppressed" });
        await suppress(rule.id, { host: "scanner" });
        const count = async () => [
          (await platform.send("GET /alerts")).total,
          (await platform.send("GET /cases")).total,
        ];
        const before = await count();
        const answer = await platform.ask(`POST /siem/logs/${id}/promote`, { rule_id: rule.id, create_case });
        expect(answer).toMatchObject({ status: 409, body: { detail: expect.any(String) } });
        expect(await count()).toEqual(before);
      });

      it("creates the alert if the suppression matches other events or has ended", async () => {
        const [first, second] = await store("not suppressed", "ws-6", "ws-7");
        const rule = await addRule({ query: "message:suppressed" });
        await suppress(rule.id, { host: "another" });
        expect((await platform.ask(`POST /siem/logs/${first}/promote`, { rule_id: rule.id })).status).toBe(201);
        await suppress(rule.id, { host: "ws-7" });
        await platform.query(
          "UPDATE detection_suppressions SET expires_at = now() - interval '1 s', created_at = now() - interval '2 s'",
        );
        expect((await platform.ask(`POST /siem/logs/${second}/promote`, { rule_id: rule.id })).status).toBe(201);
      });
    },
  );
});

describe("a detection rule", () => {
  const RULE = {
    name: "Beacon",
    description: "A host calls home",
    query: "message:calls-home",
    source: "contract",
    host: "ws-8",
    match_severity: "high",
    alert_severity: "critical",
    alert_title_template: "{rule_name} on {host}",
    alert_description_template: "{message} by {host}",
    auto_create_case: true,
    schedule_enabled: true,
    schedule_interval_minutes: 5,
    mitre_techniques: ["T1071", "T1071.001"],
    sharing_mode: "team",
    shared_with_roles: ["tier1"],
    tags: ["c2", "beacon"],
  };
  const ROWS: [string, string[], unknown][] = [
    [
      quote("| name, description, query, source, host | string |"),
      ["name", "description", "query", "source", "host"],
      expect.any(String),
    ],
    [quote("| match_severity | string |"), ["match_severity"], expect.any(String)],
    [quote("| alert_severity | string |"), ["alert_severity"], expect.any(String)],
    [
      quote(
        "| alert_title_template, alert_description_template | string with placeholders such as {rule_name}, {host}, {message} |",
      ),
      ["alert_title_template", "alert_description_template"],
      expect.any(String),
    ],
    [quote("| auto_create_case | boolean |"), ["auto_create_case"], expect.any(Boolean)],
    [quote("| schedule_enabled | boolean |"), ["schedule_enabled"], expect.any(Boolean)],
    [quote("| schedule_interval_minutes | integer |"), ["schedule_interval_minutes"], expect.any(Number)],
    [quote("| mitre_techniques | array of technique ids |"), ["mitre_techniques"], expect.any(Array)],
    [quote("| sharing_mode | string; value team is used |"), ["sharing_mode"], "team"],
    [quote("| shared_with_roles, tags | arrays of strings |"), ["shared_with_roles", "tags"], expect.any(Array)],
  ];
  const FIELDS = ROWS.flatMap(([row, fields, type]) => fields.map((field) => [row, field, type] as const));

  it.each(FIELDS)("%s: %s is stored with its type", async (_row, field, type) => {
    const created = await platform.send("POST /detections/rules", RULE);
    expect(created[field]).toEqual(type);
    expect(created[field]).toEqual(Reflect.get(RULE, field));
    const { items } = await platform.send("GET /detections/rules?limit=200");
    expect(items.find(({ id }: { id: string }) => id === created.id)[field]).toEqual(Reflect.get(RULE, field));
  });

  it.each([
    ["name", "Renamed"],
    ["description", "Changed"],
    ["query", "message:other"],
    ["source", "other"],
    ["host", "ws-9"],
    ["match_severity", "low"],
    ["alert_severity", "low"],
    ["alert_title_template", "Seen on {host}"],
    ["alert_description_template", "{message}"],
    ["auto_create_case", false],
    ["schedule_enabled", false],
    ["schedule_interval_minutes", 60],
    ["mitre_techniques", ["T1059"]],
    ["shared_with_roles", ["tier2", "tier3"]],
    ["tags", []],
  ])("a change sets %s to %j", async (field, value) => {
    const { id } = await platform.send("POST /detections/rules", RULE);
    expect(await platform.send(`PATCH /detections/rules/${id}`, { [field]: value })).toMatchObject({
      id,
      [field]: value,
    });
  });

  it.each([
    ["name", 1],
    ["description", {}],
    ["query", 1],
    ["source", []],
    ["host", {}],
    ["match_severity", "urgent"],
    ["alert_severity", "urgent"],
    ["alert_title_template", 1],
    ["alert_description_template", []],
    ["auto_create_case", "yes"],
    ["schedule_enabled", "yes"],
    ["schedule_interval_minutes", 1.5],
    ["schedule_interval_minutes", "five"],
    ["mitre_techniques", "T1071"],
    ["sharing_mode", 1],
    ["shared_with_roles", "tier1"],
    ["tags", [1]],
  ])("refuses %s = %j", async (field, value) => {
    expect((await platform.ask("POST /detections/rules", { ...RULE, [field]: value })).status).toBe(400);
  });

  describe(quote("| next_run_at | read-only ISO 8601 timestamp with offset |"), () => {
    it("returns the next run of a scheduled rule", async () => {
      const { next_run_at } = await platform.send("POST /detections/rules", RULE);
      expect(next_run_at).toMatch(ISO);
    });

    it("ignores next_run_at in a change", async () => {
      const written = "2001-01-01T00:00:00.000Z";
      const { id } = await platform.send("POST /detections/rules", RULE);
      const answer = await platform.ask(`PATCH /detections/rules/${id}`, { next_run_at: written, tags: ["x"] });
      expect(answer.body.next_run_at).not.toBe(written);
    });
  });

  describe("a run", () => {
    const run = (id: string) => platform.send(`POST /detections/rules/${id}/run`, {});

    it(quote("Run response: rule, total, suppressed_count, run, logs (array)."), async () => {
      const stored = await store("runs one", "ws-10", "ws-11");
      const rule = await addRule({ query: 'message:"runs one"' });
      const answer = await run(rule.id);
      expect(answer).toMatchObject({ rule: { id: rule.id }, total: 2, suppressed_count: 0, run: expect.any(Object) });
      expect(answer.logs.map(({ id }: { id: string }) => id).toSorted()).toEqual(stored.toSorted());
    });

    it.each([
      ["id", expect.any(String)],
      ["trigger_mode", "manual"],
      ["status", "completed"],
      ["match_count", 2],
      ["suppressed_count", 1],
      ["sample_log_ids", expect.arrayContaining([expect.any(String)])],
    ])("returns %s in its record", async (field, value) => {
      quote(
        "Run record: id, trigger_mode (manual or scheduled), status (for example completed), match_count, suppressed_count, sample_log_ids (array).",
      );
      await store(`runs ${field}`, "ws-12", "scanner");
      const rule = await addRule({ query: `message:"runs ${field}"` });
      const criteria = { host: "scanner" };
      await platform.send(`POST /detections/rules/${rule.id}/suppressions`, {
        ...{ name: "quiet", reason: "a scanner", suppress_for_hours: 1, criteria },
      });
      const answer = await run(rule.id);
      expect(answer.run).toMatchObject({ [field]: value });
      const { items } = await platform.send(`GET /detections/rules/${rule.id}/runs`);
      expect(items).toEqual([expect.objectContaining({ id: answer.run.id, [field]: value })]);
    });

    it("fills the placeholders {rule_name}, {host} and {message} of its alert", async () => {
      await store("fills it", "ws-13");
      const rule = await addRule({
        name: "Fill",
        query: 'message:"fills it"',
        alert_severity: "critical",
        alert_title_template: "{rule_name} / {host} / {message}",
      });
      await run(rule.id);
      const { items } = await platform.send("GET /alerts?severity=critical");
      expect(items.map(({ title }: { title: string }) => title)).toContain("Fill / ws-13 / fills it");
    });

    it("opens a case if auto_create_case is true", async () => {
      await store("opens it", "ws-14");
      const rule = await addRule({ query: 'message:"opens it"', auto_create_case: true });
      const { total } = await platform.send("GET /cases");
      await run(rule.id);
      expect((await platform.send("GET /cases")).total).toBe(total + 1);
    });
  });

  describe(
    quote("Suppression body: name, reason, criteria (object of field matches), suppress_for_hours (integer)."),
    () => {
      const SUPPRESSION = { name: "quiet", reason: "a scanner", criteria: { host: "scanner" }, suppress_for_hours: 24 };

      it.each(Object.keys(SUPPRESSION))("stores %s", async (field) => {
        const { id } = await addRule();
        const created = await platform.send(`POST /detections/rules/${id}/suppressions`, SUPPRESSION);
        expect(created).toMatchObject({ [field]: Reflect.get(SUPPRESSION, field) });
        const { items } = await platform.send(`GET /detections/rules/${id}/suppressions`);
        expect(items).toEqual([expect.objectContaining({ [field]: Reflect.get(SUPPRESSION, field) })]);
      });

      it.each([
        ["name", 1],
        ["reason", {}],
        ["criteria", "host"],
        ["suppress_for_hours", 1.5],
        ["suppress_for_hours", "one"],
      ])("refuses %s = %j", async (field, value) => {
        const { id } = await addRule();
        const body = { ...SUPPRESSION, [field]: value };
        expect((await platform.ask(`POST /detections/rules/${id}/suppressions`, body)).status).toBe(400);
      });
    },
  );

  describe("feedback", () => {
    quote(
      "Feedback body: verdict (true_positive, false_positive, needs_tuning), alert_id, case_id, siem_log_id, notes, metadata (object).",
    );

    it.each(["true_positive", "false_positive", "needs_tuning"])("accepts the verdict %s", async (verdict) => {
      const { id } = await addRule();
      expect(await platform.send(`POST /detections/rules/${id}/feedback`, { verdict })).toMatchObject({ verdict });
    });

    it.each(["alert_id", "case_id", "siem_log_id", "notes", "metadata"])("stores %s", async (field) => {
      const { id } = await addRule();
      const [siem_log_id] = await store("feedback", "ws-15");
      const alert = await platform.send("POST /alerts", { title: "feedback", source: "contract" });
      const { id: case_id } = await platform.send("POST /cases", { title: "feedback" });
      const linked = { alert_id: alert.id, case_id, siem_log_id };
      const body = { ...linked, verdict: "needs_tuning", notes: "too loud", metadata: { by: { shift: 2 } } };
      const value = Reflect.get(body, field);
      expect(await platform.send(`POST /detections/rules/${id}/feedback`, body)).toMatchObject({ [field]: value });
      const { items } = await platform.send(`GET /detections/rules/${id}/feedback`);
      expect(items).toEqual([expect.objectContaining({ [field]: value })]);
    });

    it.each([
      ["verdict", "wrong"],
      ["notes", 1],
      ["metadata", "shift 2"],
      ["alert_id", 1],
    ])("refuses %s = %j", async (field, value) => {
      const { id } = await addRule();
      const body = { verdict: "needs_tuning", [field]: value };
      expect((await platform.ask(`POST /detections/rules/${id}/feedback`, body)).status).toBe(400);
    });

    it.each(["notes", "metadata"])("accepts null for %s", async (field) => {
      const { id } = await addRule();
      const body = { verdict: "needs_tuning", [field]: null };
      expect((await platform.ask(`POST /detections/rules/${id}/feedback`, body)).status).toBe(201);
    });
  });

  describe("the metrics", () => {
    quote(
      "Metrics response (24 hours): total_rules, enabled_rules, scheduled_rules, runs_24h, matches_24h, suppressed_24h, top_rules_by_matches (items rule_id, name, matches), noisiest_rules (items rule_id, name, false_positives).",
    );

    it.each(["total_rules", "enabled_rules", "scheduled_rules", "runs_24h", "matches_24h", "suppressed_24h"])(
      "counts %s",
      async (field) => {
        const before = (await platform.send("GET /detections/metrics"))[field];
        await store(`metrics ${field}`, "ws-16", "scanner");
        const rule = await addRule({
          query: `message:"metrics ${field}"`,
          schedule_enabled: true,
          schedule_interval_minutes: 5,
        });
        await platform.send(`POST /detections/rules/${rule.id}/suppressions`, {
          ...{ name: "quiet", reason: "a scanner", suppress_for_hours: 1, criteria: { host: "scanner" } },
        });
        await platform.send(`POST /detections/rules/${rule.id}/run`, {});
        const after = (await platform.send("GET /detections/metrics"))[field];
        expect(after).toBeGreaterThan(before);
        expect(Number.isInteger(after)).toBe(true);
      },
    );

    it("lists the rules with the most matches", async () => {
      await store("top rule", ...Array.from({ length: 12 }, (_, at) => `top-${at}`));
      const rule = await addRule({ name: "Top", query: 'message:"top rule"' });
      await platform.send(`POST /detections/rules/${rule.id}/run`, {});
      const { top_rules_by_matches } = await platform.send("GET /detections/metrics");
      expect(top_rules_by_matches[0]).toMatchObject({ rule_id: rule.id, name: "Top", matches: 12 });
    });

    it("lists the rules with the most false positives", async () => {
      const rule = await addRule({ name: "Noisy" });
      for (let at = 0; at < 3; at += 1)
        await platform.send(`POST /detections/rules/${rule.id}/feedback`, { verdict: "false_positive" });
      const { noisiest_rules } = await platform.send("GET /detections/metrics");
      expect(noisiest_rules[0]).toMatchObject({ rule_id: rule.id, name: "Noisy", false_positives: 3 });
    });
  });

  it.each([
    ["PATCH /detections/rules/{rule_id}", { tags: ["x"] }],
    ["POST /detections/rules/{rule_id}/run", {}],
    ["GET /detections/rules/{rule_id}/runs", undefined],
    ["GET /detections/rules/{rule_id}/suppressions", undefined],
    ["GET /detections/rules/{rule_id}/feedback", undefined],
  ])("%s answers 404 for an unknown rule", async (route, body) => {
    expect((await platform.ask(route.replace("{rule_id}", NOTHING), body)).status).toBe(404);
  });
});
