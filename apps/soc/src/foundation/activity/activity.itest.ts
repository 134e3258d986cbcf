import { afterAll, beforeAll, expect, it } from "vitest";
import { type CallersPlatform, startCallersPlatform } from "../../../testing/harness/callers-platform.ts";

type Headers = Record<string, string>;

let platform: CallersPlatform;
let admin: Headers;
let tier3: Headers;
let alert_id: string;

const signIn = async (username: string): Promise<Headers> => ({
  authorization: `Bearer ${(await platform.signIn(username)).token}`,
});

/** Returns the status and the body of a response. */
async function ask(method: string, path: string, headers: Headers, payload?: object) {
  const { status, body } = await platform.ask(method, `/api/v1${path}`, headers, payload);
  return { status, body: JSON.parse(body) };
}

beforeAll(async () => {
  platform = await startCallersPlatform();
  await platform.addUser("tia", "tier3");
  [admin, tier3] = [await signIn("admin"), await signIn("tia")];
  const raised = { title: "Beacon of ws-0142", source: "edr", severity: "high", host: "ws-0142" };
  alert_id = (await ask("POST", "/alerts", admin, raised)).body.id;
  await ask("PATCH", `/alerts/${alert_id}`, tier3, { status: "triaged" });
}, 60_000);
afterAll(() => platform.close());

const listActivity = async (headers: Headers, subject_type: string, subject_id: string) =>
  ask("GET", `/activity?subject_type=${subject_type}&subject_id=${subject_id}`, headers);

it("lists the history of a record, newest first, to callers who may read the record", async () => {
  const { items, total } = (await listActivity(tier3, "alert", alert_id)).body;
  expect(total).toBe(2);
  expect(items.map(({ action, actor }: { action: string; actor: string }) => [action, actor])).toEqual([
    ["alert.updated", "tia"],
    ["alert.created", "admin"],
  ]);
});

it("refuses records that the caller may not read, and hides entries about such records", async () => {
  const refused = await listActivity(tier3, "user", "tia");
  expect([refused.status, refused.body]).toEqual([403, { detail: "role 'tier3' is not 'admin'" }]);
  // An entry about the alert whose action belongs to a noun that readers of alerts may not see.
  await platform.query(
    "INSERT INTO audit_log (id, actor, action, subject_type, subject_id, details) " +
      `VALUES (gen_random_uuid(), 'x', 'user.looked', 'alert', '${alert_id}', '{}')`,
  );
  expect((await listActivity(tier3, "alert", alert_id)).body.total).toBe(2);
  expect((await listActivity(admin, "alert", alert_id)).body.total).toBe(3);
});

it.each(["subject_type=alert", "subject_id=x", "subject_type=alert&subject_id=%00"])("refuses ?%s", async (query) => {
  expect((await ask("GET", `/activity?${query}`, admin)).status).toBe(400);
});

it("finds records of every kind by text, and a single record by its id", async () => {
  const { items, is_partial } = (await ask("GET", "/search?q=ws-0142", tier3)).body;
  expect(items).toEqual([
    { kind: "alert", id: alert_id, title: "Beacon of ws-0142", subtitle: "high", at: expect.any(String) },
  ]);
  expect(is_partial).toBe(false);
  expect((await ask("GET", `/search?q=${alert_id}`, tier3)).body.items).toMatchObject([{ id: alert_id }]);
  const { items: users, kinds } = (await ask("GET", "/search?q=tia&kinds=user", tier3)).body;
  expect([users, kinds]).toEqual([[{ kind: "user", id: "tia", title: "tia", subtitle: "tier3", at: null }], ["user"]]);
  const { kinds: all } = (await ask("GET", "/search?q=zz9", tier3)).body;
  expect(all.toSorted()).toEqual("alert case device endpoint hunt ioc playbook rule user".split(" "));
});

it("shows callers the approvals that they requested", async () => {
  const request = { action: "Reimage ws-0142", justification: "beacon" };
  // The tool polls for a decision every 30 s; the test does not wait for its response.
  void ask("POST", "/tools/request_human_approval", tier3, request).catch(() => undefined);
  const listOwn = async (query = "") => (await ask("GET", `/approvals/mine${query}`, tier3)).body;
  await expect.poll(async () => (await listOwn()).total, { timeout: 20_000 }).toBe(1);
  const [approval] = (await listOwn()).items;
  expect(approval).toMatchObject({ requested_by: "tia", status: "pending", action: "Reimage ws-0142" });
  expect((await listOwn("?status=approved")).total).toBe(0);
  expect((await ask("GET", "/approvals/mine", admin)).body.total).toBe(0);
  await ask("POST", `/approvals/${approval.id}/decide`, admin, { approved: true });
  expect((await listOwn("?status=approved")).total).toBe(1);
});

it("lists every action of playbooks with the schema of its parameters", async () => {
  const { items } = (await ask("GET", "/soar/actions", tier3)).body;
  const isolate = items.find(({ name }: { name: string }) => name === "edr.isolate");
  expect(isolate).toMatchObject({ kind: "outside", is_critical: true, leaves_platform: true });
  // A search reaches only the platform's own log store, so nothing leaves the platform.
  const leaving = items.filter((item: { leaves_platform: boolean }) => item.leaves_platform);
  expect(leaving.map(({ name }: { name: string }) => name)).toEqual([
    "cps.revoke",
    "edr.isolate",
    "edr.scan",
    "edr.unisolate",
    "http.request",
    "notify.webhook",
  ]);
  expect(isolate.parameters).toMatchObject({ type: "object" });
  const names = items.map(({ name }: { name: string }) => name);
  expect(names).toEqual(names.toSorted());
  expect(names).toContain("case.create");
});
