import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askAs, signIn } from "../../../testing/harness/sample-world.ts";
import { ADMIN_PASSWORD, wholePlatform } from "../../../testing/harness/whole-platform.ts";
import type { SendRequest } from "../../../testing/harness/world.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

const HOUR_MS = 60 * 60_000;
const PLAYBOOK = {
  name: "Contain",
  steps: [
    { id: "note", action: "case.task", params: { title: "Look" } },
    { id: "scan", action: "edr.scan", params: { endpoint: "{alert.host}" } },
    { id: "cut", action: "edr.isolate", params: { endpoint: "{alert.host}" }, when: "alert.severity:critical" },
  ],
};

let platform: Awaited<ReturnType<typeof wholePlatform>>;
let owner: pg.Client;
let admin: SendRequest;
const ids: string[] = [];

beforeAll(async () => {
  const { url } = await freshDatabase();
  platform = await wholePlatform("real", url);
  admin = askAs(platform.app, await signIn(platform.app));
  owner = new pg.Client(url);
  await owner.connect();
  expect((await send("PUT", "/soar/playbooks/contain", PLAYBOOK)).body).toMatchObject({ id: "contain" });
  // One per hour, newest first; the last one eight days ago.
  for (const hours of [1, 2, 3, 4, 8 * 24]) ids.push(await addAlert(`Ransom ${hours}`, "critical", hours));
  await addAlert("Scan", "low", 1);
});

afterAll(async () => {
  await owner.end();
  await platform.close();
});

async function send(method: string, path: string, payload: object) {
  const { status, body } = await admin(method, path, payload);
  return { status, body: JSON.parse(body) };
}

async function addAlert(title: string, severity: string, hours: number): Promise<string> {
  const { body } = await send("POST", "/alerts", { title, severity, source: "edr", host: "ws-1" });
  const moved =
    "created_at = now() - $2::float8 * interval '1 hour', first_seen = now() - $2::float8 * interval '1 hour'";
  await owner.query(`UPDATE alerts SET ${moved} WHERE id = $1`, [body.id, hours]);
  return body.id;
}

const preview = (request: object) =>
  send("POST", "/soar/automations/preview", { condition: "severity:critical", playbook_id: "contain", ...request });

it("counts the alerts of the last week that would have fired and lists the steps", async () => {
  const { status, body } = await preview({});
  expect(status).toBe(200);
  expect(body).toMatchObject({ matched: 4, started: 4, is_partial: false, covered_from: null });
  expect(body.sample_ids).toEqual(ids.slice(0, 4));
  expect(body.buckets.map(({ count }: { count: number }) => count).reduce((a: number, b: number) => a + b)).toBe(4);
  expect(body.playbook).toMatchObject({ id: "contain", needs_approval: true, leaves_platform: true });
  expect(body.playbook.steps).toMatchObject([
    { id: "note", action: "case.task", when: null, leaves_platform: false, is_critical: false },
    { id: "scan", action: "edr.scan", leaves_platform: true },
    { id: "cut", action: "edr.isolate", when: "alert.severity:critical", leaves_platform: true, is_critical: true },
  ]);
});

it("counts a start only after the cooldown of the previous one, within the given period", async () => {
  expect((await preview({ cooldown_minutes: 90 })).body).toMatchObject({ matched: 4, started: 2 });
  const from = new Date(Date.now() - 2.5 * HOUR_MS).toISOString();
  expect((await preview({ from })).body).toMatchObject({ matched: 2, sample_ids: ids.slice(0, 2) });
  const days = { from: new Date(Date.now() - 9 * 24 * HOUR_MS).toISOString(), to: from };
  expect((await preview(days)).body).toMatchObject({ matched: 3, sample_ids: ids.slice(2) });
  expect((await preview({ condition: "title:absent" })).body).toMatchObject({ matched: 0, started: 0, buckets: [] });
});

it("changes nothing", async () => {
  const count = async () =>
    (await owner.query("SELECT (SELECT count(*) FROM audit_log), (SELECT count(*) FROM automation_firings)")).rows;
  const before = await count();
  await preview({});
  expect(await count()).toEqual(before);
});

it.each([
  [{ condition: "severity:" }, "condition"],
  [{ condition: "*" }, "condition"],
  [{ playbook_id: "absent" }, "playbook_id"],
  [{ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }, "from"],
  [{ from: "yesterday" }, "from"],
  [{ cooldown_minutes: -1 }, "cooldown_minutes"],
])("refuses the preview %j", async (request, field) => {
  const { status, body } = await preview(request);
  expect([status, body.detail]).toEqual([400, expect.stringMatching(new RegExp(`^${field}:`))]);
});

it("refuses callers who may not manage automations", async () => {
  const user = { username: "tia", password: ADMIN_PASSWORD, role: "tier1" };
  await send("POST", "/users", user);
  const signedIn = await platform.app.inject({ method: "POST", url: "/api/v1/auth/token", payload: user });
  const tier1 = askAs(platform.app, { authorization: `Bearer ${signedIn.json().access_token}` });
  const request = { condition: "severity:critical", playbook_id: "contain" };
  expect((await tier1("POST", "/soar/automations/preview", request)).status).toBe(403);
});
