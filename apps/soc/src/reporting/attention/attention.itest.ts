import { afterAll, beforeAll, expect, it } from "vitest";
import { askAs, signIn } from "../../../testing/harness/sample-world.ts";
import { ADMIN_PASSWORD, NO_RESPONSE_SETTINGS, wholePlatform } from "../../../testing/harness/whole-platform.ts";
import type { SendRequest } from "../../../testing/harness/world.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

type Json = ReturnType<typeof JSON.parse>;

let real: Awaited<ReturnType<typeof wholePlatform>>;
let admin: SendRequest;
let noor: SendRequest;

beforeAll(async () => {
  const response = { ...NO_RESPONSE_SETTINGS, fourEyes: true };
  real = await wholePlatform("real", (await freshDatabase()).url, undefined, undefined, { response });
  admin = askAs(real.app, await signIn(real.app));
  noor = await addUser("noor", "tier3");
});

afterAll(() => real.close());

async function addUser(username: string, role: string): Promise<SendRequest> {
  const payload = { username, password: ADMIN_PASSWORD, role };
  await admin("POST", "/users", payload);
  const signedIn = await real.app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
  return askAs(real.app, { authorization: `Bearer ${signedIn.json().access_token}` });
}

async function send(
  ask: SendRequest,
  method: "GET" | "POST" | "PUT" | "PATCH",
  path: string,
  body?: object,
): Promise<Json> {
  const answered = await ask(method, path, body);
  expect([path, answered.status < 300, answered.body]).toEqual([path, true, expect.any(String)]);
  return JSON.parse(answered.body);
}

const OPEN = "status=new,triaged,investigating&assignee=me,none&severity=critical,high,medium,low";

it("counts open alerts and cases of the caller and without an owner, as the lists do", async () => {
  const report = async (title: string, fields: object, patch?: object) => {
    const { id } = await send(admin, "POST", "/alerts", { title, source: "edr", host: title, ...fields });
    return patch ? send(admin, "PATCH", `/alerts/${id}`, patch) : { id };
  };
  await report("unassigned-1", { severity: "critical" });
  await report("unassigned-2", { severity: "high" }, { status: "investigating" });
  await report("mine-1", { severity: "low" }, { assignee: "noor", status: "triaged" });
  await report("of-another", { severity: "critical" }, { assignee: "admin" });
  await report("finished", { severity: "critical" }, { status: "resolved" });
  await report("information", { severity: "info" });
  const add = (title: string, fields: object) => send(admin, "POST", "/cases", { title, severity: "high", ...fields });
  await add("without an owner", {});
  await add("of noor", { assignee: "noor" });
  await add("of another", { assignee: "admin" });
  await send(admin, "PATCH", `/cases/${(await add("closed", {})).id}`, { status: "closed" });

  const attention = await send(noor, "GET", "/stats/attention");
  expect(attention).toMatchObject({
    alerts: {
      total: 3,
      unassigned: 2,
      mine: 1,
      by_severity: { critical: 1, high: 1, medium: 0, low: 1 },
      is_estimate: false,
    },
    cases: { total: 2, unassigned: 1, mine: 1 },
    is_partial: false,
    partial: [],
  });
  expect((await send(noor, "GET", `/alerts?${OPEN}`)).total).toBe(attention.alerts.total);
  expect((await send(noor, "GET", "/cases?status=open&assignee=none")).items).toMatchObject([
    { title: "without an owner" },
  ]);
});

it("counts only approvals that the caller may decide", async () => {
  const id = "7d7a1f6e-59a1-4a34-a5a3-6f3f0a4a9c11";
  await send(admin, "PUT", `/edr/endpoints/${id}`, { hostname: "ws-7" });
  await send(noor, "POST", `/edr/endpoints/${id}/isolate`, {});
  const lead = await addUser("lina", "manager");
  const counts = async (ask: SendRequest) => (await send(ask, "GET", "/stats/attention")).approvals;
  expect(await counts(lead)).toEqual({ total: 1, next_expires_at: expect.any(String) });
  const second = await addUser("moh", "manager");
  const [{ id: approval }] = (await send(lead, "GET", "/approvals")).items;
  await send(lead, "POST", `/approvals/${approval}/decide`, { approved: true });
  expect(await counts(second)).toEqual({ total: 0, next_expires_at: null });
});

it("contains null for what the caller may not read", async () => {
  const auditor = await addUser("audra", "auditor");
  const attention = await send(auditor, "GET", "/stats/attention");
  expect(attention).toMatchObject({ approvals: null, inbox: { unread: expect.any(Number) }, is_partial: false });
});
