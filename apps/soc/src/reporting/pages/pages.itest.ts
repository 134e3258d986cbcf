import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askAs, signIn } from "../../../testing/harness/sample-world.ts";
import { ADMIN_PASSWORD, wholePlatform } from "../../../testing/harness/whole-platform.ts";
import type { SendRequest } from "../../../testing/harness/world.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

type Json = ReturnType<typeof JSON.parse>;
type Platform = Awaited<ReturnType<typeof wholePlatform>>;

let real: Platform;
let dummy: Platform;
let admin: SendRequest;
let shown: SendRequest;

beforeAll(async () => {
  real = await wholePlatform("real", (await freshDatabase()).url);
  dummy = await wholePlatform("dummy");
  admin = askAs(real.app, await signIn(real.app));
  shown = askAs(dummy.app, await signIn(dummy.app));
});

afterAll(async () => {
  await real.close();
  await dummy.close();
});

async function read(ask: SendRequest, path: string, status = 200): Promise<Json> {
  const answered = await ask("GET", path);
  expect([path, answered.status]).toEqual([path, status]);
  return JSON.parse(answered.body);
}

/** Retries while a busy machine omits more than the logs, whose engine never answers here. */
async function readWhole(ask: SendRequest, path: string): Promise<Json> {
  for (let tries = 1; ; tries += 1) {
    const page = await read(ask, path);
    if (tries === 50 || page.partial.every((part: string) => part === "logs")) return page;
  }
}

async function add(path: string, payload: object): Promise<Json> {
  return JSON.parse((await admin("POST", path, payload)).body);
}

async function askWithKey(scopes: string[]): Promise<SendRequest> {
  const { key } = await add("/api-keys", { name: scopes.join("-").replaceAll(":", "."), scopes });
  return askAs(real.app, { "x-api-key": key });
}

describe("alert and case pages", () => {
  it("contain everything about the alert and name what cannot be read", async () => {
    await add("/iocs", { value: "198.51.100.77", force: true });
    const report = { source: "edr", host: "WS7.corp.example", iocs: ["198.51.100.77"] };
    const { id } = await add("/alerts", { title: "Beacon", log_ids: ["a-log"], ...report });
    const other = await add("/alerts", { title: "Scan", ...report });
    const opened = await add(`/alerts/${id}/promote`, {});
    const page = await readWhole(admin, `/alerts/${id}/full`);
    expect(page).toMatchObject({
      alert: { id, case_id: opened.id },
      entities: { hosts: [{ name: "ws7" }] },
      rule: null,
      // The log engine of this test never answers.
      logs: null,
      logs_total: 1,
      endpoints: [],
      iocs: [{ value: "198.51.100.77" }],
      case: { id: opened.id },
      related: { same_host: { total: 1, items: [{ id: other.id }] }, same_ioc: { total: 1 }, same_rule: { total: 0 } },
      executions: [],
      approvals: [],
      is_partial: true,
    });
    expect(page.partial).toContain("logs");
    expect(page.history.map(({ action }: Json) => action)).toEqual(
      expect.arrayContaining(["alert.created", "alert.promoted"]),
    );
    expect((await readWhole(admin, `/cases/${opened.id}/full`)).alerts).toMatchObject([{ id }]);
  });

  it("show the history to everyone who may read the record, without parts that they may not read", async () => {
    const user = { username: "tia", password: ADMIN_PASSWORD, role: "tier1" };
    await add("/users", user);
    const signedIn = await real.app.inject({ method: "POST", url: "/api/v1/auth/token", payload: user });
    const tier1 = askAs(real.app, { authorization: `Bearer ${signedIn.json().access_token}` });
    await read(tier1, "/audit", 403);
    const { id } = await add("/alerts", { title: "Shared", source: "edr", host: "ws8" });
    const { id: case_id } = await add(`/alerts/${id}/promote`, {});
    const pages = [
      ["alert", id, `/alerts/${id}/full`],
      ["case", case_id, `/cases/${case_id}/full`],
    ];
    for (const [subject_type, subject_id, path = ""] of pages) {
      const { history } = await readWhole(tier1, path);
      const { items } = await read(tier1, `/activity?subject_type=${subject_type}&subject_id=${subject_id}&limit=50`);
      expect(history).toEqual(items);
      expect(history.map(({ action }: Json) => action)).toContain(`${subject_type}.created`);
    }
  });

  it("omit each part whose own route the caller may not call", async () => {
    const { id } = await add("/alerts", { title: "Quiet", source: "edr", host: "ws9" });
    const { id: case_id } = await add(`/alerts/${id}/promote`, {});
    const narrow = await askWithKey(["alerts:read"]);
    const page = await readWhole(narrow, `/alerts/${id}/full`);
    expect(page).toMatchObject({ alert: { id }, related: {}, is_partial: false, partial: [] });
    for (const part of ["rule", "logs", "endpoints", "iocs", "case", "executions", "approvals", "history"]) {
      expect([part, page[part]]).toEqual([part, null]);
    }
    await read(narrow, `/cases/${case_id}/full`, 403);
    // Approvals and the audit log do not accept API keys.
    const wide = await askWithKey(["alerts:read", "cases:read", "soar:read", "reports:read", "edr:read"]);
    const ofCase = await readWhole(wide, `/cases/${case_id}/full`);
    expect(ofCase).toMatchObject({ executions: [], reports: [], approvals: null, edr_actions: [] });
    expect(ofCase.totals).toEqual({ files: 0, alerts: 1, executions: 0, reports: 0 });
  });

  it("answer 404 for an unknown alert or case", async () => {
    await read(admin, "/alerts/019680aa-0000-7000-8000-000000000000/full", 404);
    await read(admin, "/cases/nothing/full", 404);
  });

  it("show the showcase without a database", async () => {
    const { items } = await read(shown, "/alerts?limit=200&has_case=true");
    const page = await readWhole(shown, `/alerts/${items[0].id}/full`);
    expect(page).toMatchObject({ alert: { id: items[0].id }, case: { id: items[0].case_id } });
    const ofCase = await readWhole(shown, `/cases/${items[0].case_id}/full`);
    expect(ofCase.alerts.map(({ id }: Json) => id)).toContain(items[0].id);
    expect(ofCase.totals.alerts).toBe(ofCase.alerts.length);
  });
});
