import { createFakeClock } from "@kit/clock/fake";
import type { Frame } from "@kit/http/frame";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_LEDGER } from "../../../testing/fixtures/no-ledger.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createAlertChanges } from "../../alerts/alerts/alert-changes.ts";
import { createCases } from "../cases/cases.feature.ts";
import { createDueReminders } from "../inbox/inbox.worker.ts";
import { createCaseSla } from "./case-sla.feature.ts";

let platform: TestPlatform;
let sla: ReturnType<typeof createCaseSla>;
let cases: ReturnType<typeof createCases>;
let app: Frame;

beforeAll(async () => {
  platform = await testPlatform("real");
  cases = createCases(platform, { alerts: createAlertChanges(platform), ledger: NO_LEDGER });
  sla = createCaseSla(platform);
  app = await featureApp(platform, ...cases.registrations.routes, ...sla.registrations.routes);
  await platform.runtime.truth();
  for (const [name, role] of [
    ["noor", "tier2"],
    ["manu", "manager"],
  ]) {
    await sql`INSERT INTO users (username, role, disabled, password_hash) VALUES (${name}, ${role}, false, '')`.execute(
      platform.db,
    );
  }
});

afterAll(() => platform.close());

async function ask(method: "GET" | "POST" | "PUT" | "PATCH", path: string, payload?: object, role = "tier2") {
  const headers = { "x-role": role };
  const answer = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

const NONE = { respond_minutes: null, resolve_minutes: null };
const HIGH = { respond_minutes: 60, resolve_minutes: 1440 };
const CRITICAL = { respond_minutes: 15, resolve_minutes: 240 };
const SETTINGS = { info: NONE, low: NONE, medium: NONE, high: HIGH, critical: CRITICAL };

const minutesBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 60_000;

describe("SLA targets", () => {
  it("are empty until a manager sets them, and every change is audited", async () => {
    expect((await ask("GET", "/case-sla")).body).toEqual({ ...SETTINGS, high: NONE, critical: NONE });
    expect((await ask("POST", "/cases", { title: "early", severity: "high" })).body.sla.state).toBeNull();
    expect((await ask("PUT", "/case-sla", SETTINGS, "tier3")).status).toBe(403);
    expect(await ask("PUT", "/case-sla", SETTINGS, "manager")).toEqual({ status: 200, body: SETTINGS });
    expect((await ask("GET", "/case-sla")).body).toEqual(SETTINGS);
    await ask("PUT", "/case-sla", SETTINGS, "manager");
    const { rows } = await sql<{ actor: string; details: { changes: object[] } }>`
      SELECT actor, details FROM audit_log WHERE action = 'case_sla.updated'`.execute(platform.db);
    expect(rows).toEqual([{ actor: "manager", details: { changes: expect.any(Array) } }]);
    expect(rows[0]?.details.changes).toHaveLength(2);
  });

  it.each([
    [{ ...SETTINGS, high: { respond_minutes: 61, resolve_minutes: 60 } }, /^high\.resolve_minutes: must not be less/],
    [{ ...SETTINGS, high: { respond_minutes: 0, resolve_minutes: 60 } }, /^high\.respond_minutes: /],
    [{ high: HIGH }, /is required/],
  ])("refuses the SLA targets %j", async (settings, detail) => {
    const refused = await ask("PUT", "/case-sla", settings, "manager");
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringMatching(detail) } });
  });
});

describe("SLA of a case", () => {
  it("sets deadlines by severity and changes them with the severity", async () => {
    const { body } = await ask("POST", "/cases", { title: "theft", severity: "high" });
    expect(body.sla).toMatchObject({ responded_at: null, resolved_at: null, state: "ok" });
    expect(minutesBetween(body.created_at, body.sla.respond_by)).toBe(60);
    expect(minutesBetween(body.created_at, body.sla.resolve_by)).toBe(1440);
    const path = `/cases/${body.id}`;
    const worse = (await ask("PATCH", path, { severity: "critical", status: "investigating" })).body;
    expect(minutesBetween(body.created_at, worse.sla.resolve_by)).toBe(240);
    expect(worse.sla.responded_at).toBe(worse.updated_at);
    const { responded_at } = worse.sla;
    expect((await ask("PATCH", path, { status: "closed" })).body.sla).toMatchObject({ responded_at, state: "met" });
    const reopened = (await ask("PATCH", path, { status: "open", title: "theft again" })).body;
    expect(reopened.sla).toMatchObject({ responded_at, resolved_at: null, state: "ok" });
    expect((await ask("GET", path)).body.sla).toEqual(reopened.sla);
    const harmless = (await ask("PATCH", path, { severity: "info" })).body;
    expect(harmless.sla).toMatchObject({ respond_by: null, resolve_by: null, responded_at, state: null });
  });

  it("finds a case by one of several tags", async () => {
    const open = async (title: string, tags: string[]) => (await ask("POST", "/cases", { title, tags })).body;
    const [a, b] = [await open("a", ["t-a", "t-a", "t-b"]), await open("b", ["t-c"])];
    expect(a.tags).toEqual(["t-a", "t-b"]);
    await open("c", ["t-d"]);
    const find = async (query: string) =>
      (await ask("GET", `/cases?sort=created_at&${query}`)).body.items.map(({ id }: { id: string }) => id);
    expect(await find("tag=t-b")).toEqual([a.id]);
    expect(await find("tag=t-b,t-c")).toEqual([a.id, b.id]);
    expect(await find("tag=t-b&tag=t-c")).toEqual([a.id, b.id]);
    expect(await find("tag=t-a,t-c&status=closed")).toEqual([]);
    expect((await ask("PATCH", `/cases/${b.id}`, { tags: ["t-e"] })).body.tags).toEqual(["t-e"]);
    expect(await find("tag=t-c")).toEqual([]);
    const many = Array.from({ length: 51 }, (_, i) => String(i));
    expect((await ask("PATCH", `/cases/${b.id}`, { tags: many })).status).toBe(400);
  });
});

describe("SLA reminders", () => {
  const runOnce = async (clock = createFakeClock()) => {
    const announced: string[][] = [];
    const inbox = { announce: async (usernames: readonly string[]) => void announced.push([...usernames]) };
    const reminders = createDueReminders({ ...platform, ...cases.services, ...sla.services, inbox, clock });
    await reminders.start();
    await expect.poll(() => announced.length).toBe(1);
    await reminders.close();
    return announced[0];
  };
  const listItems = async (case_id: string) => {
    const { rows } = await sql<{ username: string; title: string; kind: string }>`
      SELECT username, title, kind FROM inbox_items WHERE subject_id = ${case_id} ORDER BY title DESC, username`.execute(
      platform.db,
    );
    return rows.map(({ username, title, kind }) => `${kind} ${username}: ${title}`);
  };
  /** Makes the case older by this many minutes. */
  const age = (case_id: string, minutes: number) =>
    sql`UPDATE cases SET created_at = created_at - ${minutes} * interval '1 minute',
      respond_by = respond_by - ${minutes} * interval '1 minute', resolve_by = resolve_by - ${minutes} * interval '1 minute'
      WHERE id = ${case_id}`.execute(platform.db);
  const open = async (fields: object): Promise<string> =>
    (await ask("POST", "/cases", { title: "theft", severity: "high", ...fields })).body.id;

  it("reminds once near a deadline and once after it, even with five workers and different clocks", async () => {
    const id = await open({ assignee: "noor" });
    const wrong = createFakeClock(new Date("2031-01-01T00:00:00Z"));
    await Promise.all([runOnce(), runOnce(wrong)]);
    expect(await listItems(id)).toEqual([]);
    await age(id, 46);
    await Promise.all([runOnce(), runOnce(), runOnce(wrong), runOnce(), runOnce()]);
    expect(await listItems(id)).toEqual(["due noor: Soon to respond: theft"]);
    expect((await ask("GET", `/cases/${id}`)).body.sla.state).toBe("near");
    await age(id, 20);
    await Promise.all([runOnce(), runOnce(wrong)]);
    expect(await listItems(id)).toEqual(["due noor: Soon to respond: theft", "due noor: Late to respond: theft"]);
    expect((await ask("GET", `/cases/${id}`)).body.sla.state).toBe("breached");
  });

  it("reminds case managers of unassigned cases and sends no reminder for finished cases", async () => {
    const [id, done] = [await open({}), await open({ assignee: "noor" })];
    await ask("PATCH", `/cases/${done}`, { status: "closed" });
    for (const each of [id, done]) await age(each, 50);
    await runOnce();
    expect(await listItems(id)).toEqual(["due manu: Soon to respond: theft"]);
    expect(await listItems(done)).toEqual([]);
  });
});
