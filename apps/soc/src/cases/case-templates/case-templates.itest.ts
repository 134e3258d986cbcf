import type { Frame } from "@kit/http/frame";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_LEDGER } from "../../../testing/fixtures/no-ledger.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createAlertChanges } from "../../alerts/alerts/alert-changes.ts";
import { createAlerts } from "../../alerts/module.ts";
import { compileAlertQuery } from "../../logs/query/alert-query.ts";
import { createCaseSla } from "../case-sla/case-sla.feature.ts";
import { createCases } from "../cases/cases.feature.ts";
import { createCaseTemplates } from "./case-templates.feature.ts";

const UNKNOWN_ID = "01900000-0000-7000-8000-000000000000";
let platform: TestPlatform;
let app: Frame;
let made = 0;

beforeAll(async () => {
  platform = await testPlatform("real");
  const changes = createAlertChanges(platform);
  const cases = createCases(platform, { alerts: changes, ledger: NO_LEDGER });
  app = await featureApp(
    platform,
    ...cases.registrations.routes,
    ...createAlerts(platform, { ...cases.services, changes, compileQuery: compileAlertQuery }).registrations.routes,
    ...createCaseSla(platform).registrations.routes,
    ...createCaseTemplates(platform).registrations.routes,
  );
});

afterAll(() => platform.close());

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

async function ask(method: Method, path: string, payload?: object, headers: Record<string, string> = {}) {
  const asked = { method, url: `/api/v1${path}`, headers: { "x-role": "manager", ...headers } };
  const answer = await app.inject({ ...asked, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json(), etag: answer.headers.etag };
}

const PHISHING = {
  title_prefix: "[phish] ",
  description: "Ask who else got the mail.",
  severity: "high",
  tags: ["phishing", "mail"],
  tasks: [{ title: "Block the sender", assignee: "noor" }, { title: "Ask the others" }],
  sla: { respond_minutes: 30, resolve_minutes: 600 },
};
const create = async (fields: object = PHISHING) =>
  ask("POST", "/case-templates", { name: `template ${++made}`, ...fields });
const minutesBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 60_000;

describe("case templates", () => {
  it("lets case managers create, read, change and remove templates, and audits each change", async () => {
    const { status, body } = await create();
    expect([status, body]).toEqual([201, expect.objectContaining({ ...PHISHING, created_by: "manager" })]);
    const path = `/case-templates/${body.id}`;
    expect((await ask("GET", path, undefined, { "x-role": "auditor" })).body).toEqual(body);
    for (const [method, where, payload] of [
      ["POST", "/case-templates", { name: "x" }],
      ["PATCH", path, { name: "x" }],
      ["DELETE", path, undefined],
    ] as const) {
      expect((await ask(method, where, payload, { "x-role": "tier3" })).status).toBe(403);
    }
    const changed = await ask("PATCH", path, { tasks: [], sla: null }, { "if-match": `"${body.updated_at}"` });
    expect(changed).toMatchObject({ status: 200, body: { tasks: [], sla: null, severity: "high" } });
    expect((await ask("PATCH", path, { tags: [] }, { "if-match": `"${body.updated_at}"` })).status).toBe(409);
    expect((await ask("DELETE", path)).body).toEqual({ deleted: true, id: body.id });
    expect((await ask("GET", path)).status).toBe(404);
    const { rows } = await sql<{ action: string }>`
      SELECT action FROM audit_log WHERE subject_id = ${body.id} ORDER BY id`.execute(platform.db);
    expect(rows.map(({ action }) => action)).toEqual([
      "case_template.created",
      "case_template.updated",
      "case_template.deleted",
    ]);
  });

  it("keeps names unique when twenty templates are created or renamed at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ name: "the same" })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array(19).fill(409)]);
    const others = await Promise.all(Array.from({ length: 10 }, () => create()));
    const renamed = await Promise.all(
      others.map(({ body }) => ask("PATCH", `/case-templates/${body.id}`, { name: "another" })),
    );
    expect(renamed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(409)]);
  });

  it.each([
    [{ name: " " }, /^name: must not be blank/],
    [{ tasks: [{ title: "" }] }, /^tasks\.0\.title: /],
    [{ tasks: Array(101).fill({ title: "a" }) }, /^tasks: /],
    [{ severity: "huge" }, /^severity: /],
    [{ sla: { respond_minutes: 10, resolve_minutes: 5 } }, /^sla\.resolve_minutes: must not be less/],
    [{ description: "a\0" }, /^description: contains a character/],
  ])("refuses the template %j", async (fields, detail) => {
    expect(await create(fields)).toMatchObject({ status: 400, body: { detail: expect.stringMatching(detail) } });
  });
});

describe("cases from templates", () => {
  it("fills a case from the template and prefers the fields of the request", async () => {
    const { body: template } = await create();
    const { body: opened } = await ask("POST", "/cases", {
      title: "Payroll",
      tags: ["urgent"],
      template_id: template.id,
    });
    expect(opened).toMatchObject({
      title: "[phish] Payroll",
      description: PHISHING.description,
      severity: "high",
      tags: ["urgent", "phishing", "mail"],
      template_id: template.id,
    });
    expect(minutesBetween(opened.created_at, opened.sla.respond_by)).toBe(30);
    const { items } = (await ask("GET", `/cases/${opened.id}/tasks?sort=position`)).body;
    expect(items).toMatchObject([
      { title: "Block the sender", assignee: "noor", status: "todo", position: 0 },
      { title: "Ask the others", assignee: null, status: "todo", position: 1 },
    ]);
    const own = { title: "Payroll", severity: "low", description: "Mine", template_id: template.id };
    expect((await ask("POST", "/cases", own)).body).toMatchObject({ severity: "low", description: "Mine" });
  });

  it("keeps the SLA targets of the template when the severity changes", async () => {
    const target = { respond_minutes: 5, resolve_minutes: 6 };
    const all = { info: target, low: target, medium: target, high: target, critical: target };
    expect((await ask("PUT", "/case-sla", all)).status).toBe(200);
    const { body: template } = await create();
    const { body: opened } = await ask("POST", "/cases", { title: "Payroll", template_id: template.id });
    const changed = (await ask("PATCH", `/cases/${opened.id}`, { severity: "critical" })).body;
    expect(minutesBetween(opened.created_at, changed.sla.resolve_by)).toBe(600);
    const { body: plain } = await ask("POST", "/cases", { title: "Payroll" });
    expect(minutesBetween(plain.created_at, plain.sla.resolve_by)).toBe(6);
  });

  it("applies the template to a case that is opened by promoting an alert", async () => {
    const { body: template } = await create();
    const alert = (await ask("POST", "/alerts", { title: `mail ${made}`, source: "gateway", severity: "low" })).body;
    const { status, body } = await ask("POST", `/alerts/${alert.id}/promote`, { template_id: template.id });
    expect([status, body.title, body.severity]).toEqual([201, `[phish] mail ${made}`, "low"]);
    expect((await ask("GET", `/cases/${body.id}/tasks`)).body.total).toBe(2);
  });

  it("refuses a missing template and a title that becomes too long", async () => {
    const count = async () => (await ask("GET", "/cases")).body.total;
    const before = await count();
    expect((await ask("POST", "/cases", { title: "a", template_id: UNKNOWN_ID })).status).toBe(404);
    expect((await ask("POST", "/cases", { title: "a", template_id: "x" })).status).toBe(404);
    const { body: template } = await create();
    const long = await ask("POST", "/cases", { title: "a".repeat(495), template_id: template.id });
    expect(long).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/^title: must be at most 500/) } });
    expect(await count()).toBe(before);
  });
});
