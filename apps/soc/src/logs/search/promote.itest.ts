import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { siemApp } from "../../../testing/harness/siem-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import type { LogEvent } from "../../ports/log-event.ts";

const RULE = "0197f000-0000-7000-8000-000000000042";

let platform: TestPlatform;
let logs: Awaited<ReturnType<typeof startLogStore>>;
let app: Awaited<ReturnType<typeof siemApp>>;
let made = 0;

// Stubs of the detections: one rule, and a suppression of it for one host.
const rules = {
  findReport: async (_caller: unknown, rule_id: string, { host, message }: LogEvent) =>
    rule_id === RULE
      ? { title: `Brute force on ${host}`, description: message, source: "detection", severity: "critical" as const }
      : undefined,
};
const suppressions = {
  findActive: async (_tx: unknown, rule_id: string, { host }: LogEvent) =>
    rule_id === RULE && host === "srv-quiet" ? { id: "s1", name: "Pen test" } : undefined,
};

beforeAll(async () => {
  platform = await testPlatform("real");
  logs = await startLogStore();
  app = await siemApp(platform, { logStore: logs.store, rules, suppressions });
});

afterAll(async () => {
  await logs.stop();
  await platform.close();
});

async function storeLog(fields: Partial<LogEvent> = {}): Promise<LogEvent> {
  made += 1;
  const log = sampleLog({
    id: platform.ids.next(),
    timestamp: platform.clock.now().toISOString(),
    ingested_at: platform.clock.now().toISOString(),
    source: "sshd",
    host: "srv-7",
    user: "root",
    site: "Head office",
    severity: "high",
    message: `Failed password for root, try ${made}`,
    ...fields,
  });
  await logs.store.insert([log], { token: log.id });
  return log;
}

const promote = async (id: string, payload?: object, role = "tier1") => {
  const answered = await app.inject({
    method: "POST",
    url: `/api/v1/siem/logs/${encodeURIComponent(id)}/promote`,
    headers: { "x-role": role },
    ...(payload && { payload }),
  });
  return { status: answered.statusCode, body: answered.json() };
};

async function stored() {
  const count = async (table: "alerts" | "cases" | "audit_log") =>
    (await platform.db.selectFrom(table).select("id").execute()).length;
  return { alerts: await count("alerts"), cases: await count("cases"), entries: await count("audit_log") };
}

describe("POST /siem/logs/{log_id}/promote", () => {
  it("creates an alert from the log", async () => {
    const log = await storeLog();
    const { status, body } = await promote(log.id);
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(["alert", "case"]);
    expect(body.case).toBeNull();
    expect(body.alert).toMatchObject({
      title: `${log.message} on srv-7`,
      description: log.message,
      source: "sshd",
      severity: "high",
      status: "new",
      host: "srv-7",
      user: "root",
      site: "Head office",
      log_ids: [log.id],
      entities: { hosts: [{ name: "srv-7", count: 1 }], users: [{ name: "root", count: 1 }] },
      event_first_at: log.timestamp,
      event_last_at: log.timestamp,
      rule_id: null,
      case_id: null,
    });
    const entries = await platform.db.selectFrom("audit_log").selectAll().where("subject_id", "=", log.id).execute();
    expect(entries).toMatchObject([
      { actor: "tier1", action: "log.promoted", subject_type: "log", details: { alert_id: body.alert.id } },
    ]);
  });

  it("also opens a case on request", async () => {
    const log = await storeLog();
    const { status, body } = await promote(log.id, { create_case: true });
    expect(status).toBe(201);
    expect(body.case).toMatchObject({ title: `${log.message} on srv-7`, severity: "high", status: "open" });
    expect(body.alert).toMatchObject({ status: "investigating", case_id: body.case.id, log_ids: [log.id] });
    const [row] = await platform.db.selectFrom("alerts").selectAll().where("id", "=", body.alert.id).execute();
    expect(row).toMatchObject({ status: "investigating", case_id: body.case.id });
  });

  it("returns the existing alert for a repeat and refuses a second case", async () => {
    const log = await storeLog();
    const first = await promote(log.id, { create_case: true });
    const again = await promote(log.id);
    expect(again).toMatchObject({
      status: 200,
      body: { alert: { id: first.body.alert.id, occurrence_count: 2, log_ids: [log.id] }, case: null },
    });
    const before = await stored();
    const refused = await promote(log.id, { create_case: true });
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toContain(first.body.case.id);
    expect(await stored()).toEqual(before);
    const [row] = await platform.db.selectFrom("alerts").selectAll().where("id", "=", first.body.alert.id).execute();
    expect(row?.occurrence_count).toBe(2);
  });

  it("uses the title and description of the rule", async () => {
    const log = await storeLog();
    const { status, body } = await promote(log.id, { rule_id: RULE });
    expect(status).toBe(201);
    expect(body.alert).toMatchObject({
      title: "Brute force on srv-7",
      source: "detection",
      severity: "critical",
      rule_id: RULE,
      log_ids: [log.id],
    });
  });

  it("answers 409 for a matching active suppression and creates nothing", async () => {
    const log = await storeLog({ host: "srv-quiet" });
    const before = await stored();
    const refused = await promote(log.id, { rule_id: RULE, create_case: true });
    expect(refused).toEqual({
      status: 409,
      body: { detail: "rule_id: suppression 'Pen test' is active and matches this log" },
    });
    expect(await stored()).toEqual(before);
    expect((await promote(log.id)).status).toBe(201);
  });

  it("answers 404 for an unknown log or rule and creates nothing", async () => {
    const log = await storeLog();
    const before = await stored();
    expect(await promote("nope")).toEqual({ status: 404, body: { detail: "log 'nope' does not exist" } });
    expect(await promote(log.id, { rule_id: "x" })).toEqual({
      status: 404,
      body: { detail: "rule 'x' does not exist" },
    });
    expect(await stored()).toEqual(before);
  });

  it.each([
    [{ create_case: "maybe" }, /^create_case: must be true or false$/],
    [{ rule_id: "" }, /^rule_id: /],
    [[], /^body: /],
  ])("refuses %j", async (payload, why) => {
    const { status, body } = await promote((await storeLog()).id, payload);
    expect(status).toBe(400);
    expect(body.detail).toMatch(why);
  });

  it.each(["auditor", "detection"])("forbids %s, who may not write alerts, to promote a log", async (role) => {
    expect((await promote((await storeLog()).id, {}, role)).status).toBe(403);
  });

  it("replaces characters that an alert cannot store and shortens long text", async () => {
    const log = await storeLog({
      message: `a\u0000b\n${"x".repeat(600)}`,
      host: "h".repeat(300),
      source: "s".repeat(200),
    });
    const { status, body } = await promote(log.id);
    expect(status).toBe(201);
    const entity = `${"h".repeat(254)}…`;
    expect(body.alert.title).toBe(`a b ${"x".repeat(500 - 4 - 1 - 4 - 255)}… on ${entity}`);
    expect(body.alert.description).toBe(`a b ${"x".repeat(600)}`);
    expect(body.alert.host).toHaveLength(255);
    expect(body.alert.source).toHaveLength(100);
  });

  it.each([
    [{ message: "", event_code: "4625", action: "sign-in" }, "event 4625 sign-in on srv-7"],
    [{ message: " \n", host: "", event_code: "", action: "" }, /^log [0-9a-f-]{36} on root$/],
    [{ message: "", host: "", user: "", action: "sign-in" }, "sign-in on sshd"],
  ])("builds a title for a log without a message: %j", async (fields, title) => {
    const { body } = await promote((await storeLog(fields)).id);
    expect(body.alert.title).toMatch(title);
  });

  it("separates two hosts with the same message, and joins two spellings of one host", async () => {
    const message = "Service stopped";
    const raised = [];
    for (const host of ["HOST-A", "HOST-B", "host-b.corp.example"]) {
      raised.push((await promote((await storeLog({ message, host })).id)).body.alert);
    }
    expect(raised.map(({ title, host }) => [title, host])).toEqual([
      ["Service stopped on host-a", "HOST-A"],
      ["Service stopped on host-b", "HOST-B"],
      ["Service stopped on host-b", "HOST-B"],
    ]);
    expect(raised[2].entities.hosts).toEqual([{ name: "host-b", full_name: "host-b.corp.example", count: 2 }]);
  });

  it("creates one alert when twenty callers promote the same log concurrently", async () => {
    const log = await storeLog();
    const answers = await Promise.all(Array.from({ length: 20 }, () => promote(log.id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(answers.map(({ body }) => body.alert.id)).size).toBe(1);
  });
});

describe("a case with the alert", () => {
  it("also requires cases:write, for a key as for a user", async () => {
    const { createPromoteService } = await import("./promote.service.ts");
    const log = await storeLog();
    const unused = async () => {
      throw new Error("nothing is stored");
    };
    const promotions = createPromoteService({
      logs: { get: async () => log },
      rules,
      suppressions,
      exceptions: { findActive: unused },
      matches: { retryWhileBusy: unused, findAlert: unused, keep: unused },
      alerts: { create: unused, promote: unused },
      stored: { lockOne: unused },
      audit: { record: unused },
    });
    const key = (...scopes: ("alerts:write" | "cases:write")[]) =>
      ({ kind: "api_key", username: "key:sensor", role: "agent", scopes }) as const;
    await expect(promotions.prepare(key("alerts:write"), log.id, { create_case: true })).rejects.toMatchObject({
      kind: "forbidden",
      message: "create_case: requires the permission cases:write",
    });
    await expect(promotions.prepare(key("alerts:write"), log.id, {})).resolves.toMatchObject({ isCaseWanted: false });
    const both = promotions.prepare(key("alerts:write", "cases:write"), log.id, { create_case: true });
    await expect(both).resolves.toMatchObject({ isCaseWanted: true });
  });
});
