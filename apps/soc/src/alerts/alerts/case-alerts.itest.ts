import type { Frame } from "@kit/http/frame";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_LEDGER } from "../../../testing/fixtures/no-ledger.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createCases } from "../../cases/cases/cases.feature.ts";
import { compileAlertQuery } from "../../logs/query/alert-query.ts";
import { createAlerts } from "../module.ts";
import { createAlertChanges } from "./alert-changes.ts";

type Json = ReturnType<typeof JSON.parse>;
type Method = "GET" | "POST" | "DELETE";

const UNKNOWN_ID = "019680aa-0000-7000-8000-000000000000";
let platform: TestPlatform;
let app: Frame;
let ids: string[];

beforeAll(async () => {
  platform = await testPlatform("real");
  const changes = createAlertChanges(platform);
  const cases = createCases(platform, { alerts: changes, ledger: NO_LEDGER });
  const {
    registrations: { routes },
  } = createAlerts(platform, { ...cases.services, changes, compileQuery: compileAlertQuery });
  app = await featureApp(platform, ...routes, ...cases.registrations.routes);
  const alerts = Array.from({ length: 3 }, (_, at) =>
    ask("POST", "/alerts", { title: `Finding ${at}`, source: "edr" }),
  );
  ids = (await Promise.all(alerts)).map(({ body }) => body.id);
});

afterAll(() => platform.close());

async function ask(method: Method, path: string, payload?: object): Promise<{ status: number; body: Json }> {
  const answered = await app.inject({ method, url: `/api/v1${path}`, ...(payload && { payload }) });
  return { status: answered.statusCode, body: answered.json() };
}

const openCase = async (): Promise<string> => (await ask("POST", "/cases", { title: "Intrusion" })).body.id;

async function readActions(case_id: string): Promise<string[]> {
  const { body } = await ask("GET", `/cases/${case_id}/timeline`);
  return body.items.map(({ action }: { action: string }) => action);
}

describe("alerts of a case", () => {
  it("links several alerts at once, moves them from other cases, and sets them to triaged when they are unlinked", async () => {
    const [first, second] = [await openCase(), await openCase()];
    const [one = "", ...others] = ids;
    expect((await ask("POST", `/cases/${first}/alerts`, { alert_ids: [one] })).body).toEqual({ linked: 1, moved: 0 });
    const linked = await ask("POST", `/cases/${second}/alerts`, { alert_ids: [...ids, one] });
    expect(linked).toEqual({ status: 200, body: { linked: 3, moved: 1 } });
    expect((await ask("POST", `/cases/${second}/alerts`, { alert_ids: ids })).body).toEqual({ linked: 0, moved: 0 });
    expect((await ask("GET", `/alerts/${one}`)).body).toMatchObject({ case_id: second, status: "investigating" });
    expect((await readActions(first))[0]).toBe(`moved alert ${one} to case ${second}`);
    expect((await readActions(second))[0]).toMatch(/^linked 3 alerts: /);

    const unlinked = await ask("DELETE", `/cases/${second}/alerts/${one}`);
    expect(unlinked).toMatchObject({ status: 200, body: { id: one, case_id: null, status: "triaged" } });
    expect((await readActions(second))[0]).toBe(`unlinked alert ${one}`);
    expect((await ask("DELETE", `/cases/${second}/alerts/${one}`)).status).toBe(404);
    const entries = await platform.db
      .selectFrom("audit_log")
      .select(["action", "subject_id"])
      .where("action", "in", ["alert.linked", "alert.unlinked"])
      .execute();
    expect(entries.filter(({ action }) => action === "alert.linked")).toHaveLength(4);
    expect(entries.filter(({ action }) => action === "alert.unlinked")).toEqual([
      { action: "alert.unlinked", subject_id: one },
    ]);
    expect((await ask("GET", `/alerts?case_id=${second}`)).body.total).toBe(others.length);
  });

  it("links no alert if one of them or the case is unknown", async () => {
    const opened = await openCase();
    expect((await ask("POST", `/cases/${opened}/alerts`, { alert_ids: [ids[0], UNKNOWN_ID] })).status).toBe(404);
    expect((await ask("POST", `/cases/${UNKNOWN_ID}/alerts`, { alert_ids: [ids[0]] })).status).toBe(404);
    const many = Array.from({ length: 501 }, () => UNKNOWN_ID);
    const refused = await ask("POST", `/cases/${opened}/alerts`, { alert_ids: many });
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining("alert_ids")]);
    expect((await ask("GET", `/alerts?case_id=${opened}`)).body.total).toBe(0);
  });
});
