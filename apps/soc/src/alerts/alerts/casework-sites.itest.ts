import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTwoSites, type TwoSites } from "../../../testing/harness/two-sites.ts";
import {
  expectNothingForeign,
  expectOwnEvents,
  expectOwnInbox,
  expectUnknown,
  UNKNOWN,
} from "../../../testing/harness/two-sites-checks.ts";

let world: TwoSites;

beforeAll(async () => {
  world = await startTwoSites();
}, 120_000);
afterAll(() => world.close());

const ofUser = async (method: string, path: string, body?: object) => {
  const { status, text } = await world.ask(world.user, method, path, body);
  return { status, body: JSON.parse(text) };
};

describe("callers restricted to one site", () => {
  it("hides records of other sites, of no site and of several sites from users and API keys", () =>
    expectNothingForeign(world));

  it("answers records of other sites as unknown and does not change them", async () => {
    await expectUnknown(world, world.beta);
    await expectUnknown(world, world.nowhere);
  });

  it("counts as if records of other sites did not exist", async () => {
    expect((await ofUser("GET", "/alerts")).body).toMatchObject({ total: 3 });
    expect((await ofUser("GET", "/alerts/summary?fields=site")).body).toMatchObject({
      total: 3,
      facets: { site: [{ value: "Alpha", count: 3 }] },
    });
    expect((await ofUser("GET", "/cases")).body).toMatchObject({ total: 1, items: [{ id: world.alpha.case }] });
    expect((await ofUser("GET", `/alerts/${world.alpha.alert}/context`)).body.same_ioc).toHaveLength(1);
    expect((await ofUser("GET", "/entities?type=user")).body).toMatchObject({ items: [{ alerts: 2 }], total: 1 });
    const { body } = await ofUser("GET", `/cases/${world.alpha.case}/full`);
    expect(body).toMatchObject({ totals: { files: 1, alerts: 1, executions: null, reports: null }, template: null });
    const { kinds } = (await ofUser("GET", "/search?q=finding")).body;
    expect(kinds.toSorted()).toEqual(["alert", "case", "device", "endpoint"]);
    expect((await ofUser("GET", `/cases/${world.both.case}`)).status).toBe(404);
  });

  it("lists only items of visible records in the inbox", () => expectOwnInbox(world));

  it("downloads the file of a case of the caller's site", async () => {
    const { text } = await world.ask(world.user, "GET", `/cases/${world.alpha.case}/files/${world.alpha.file}`);
    expect(JSON.parse(text)).toEqual({ content: world.alpha.canary });
  });

  it("reads records of other sites only if PostgreSQL does not hide them", async () => {
    const rows = await world.query("SELECT DISTINCT tablename FROM pg_policies WHERE policyname LIKE 'some_sites%'");
    const switchAll = async (to: string) => {
      for (const { tablename } of rows) await world.query(`ALTER TABLE ${tablename} ${to} ROW LEVEL SECURITY`);
    };
    await switchAll("DISABLE");
    try {
      await expectNothingForeign(world);
      await expectUnknown(world, world.beta);
      await expectOwnInbox(world);
      await expectOwnEvents(world);
    } finally {
      await switchAll("ENABLE");
    }
  });
});

describe("new records of callers restricted to one site", () => {
  it("assigns the caller's site to new records", async () => {
    const finding = { title: "made by a limited caller", source: "hand" };
    for (const headers of [world.user, world.apiKey]) {
      const { text } = await world.ask(headers, "POST", "/alerts", finding);
      expect(JSON.parse(text)).toMatchObject({ site: "Alpha" });
      const refused = await world.ask(headers, "POST", "/alerts", { ...finding, site: "Beta" });
      const detail = "site: 'Beta' is not one of your sites";
      expect([refused.status, JSON.parse(refused.text)]).toEqual([400, { detail }]);
    }
    const opened = await ofUser("POST", "/cases", { title: "opened by hand" });
    expect(opened.status).toBe(201);
    expect((await ofUser("GET", `/cases/${opened.body.id}`)).status).toBe(200);
    expect((await ofUser("POST", "/cases", { title: "x", site: "Beta" })).status).toBe(400);
    expect(await ofUser("POST", "/cases", { title: "x", template_id: UNKNOWN })).toMatchObject({ status: 404 });
    const [row] = await world.query("SELECT sites FROM cases WHERE id = $1", [opened.body.id]);
    expect(row).toEqual({ sites: ["Alpha"] });
  });

  it("requires a site from a caller with several sites", async () => {
    await world.asAdmin("PATCH", "/users/alpha", { sites: ["Alpha", "Beta"] });
    const { token } = await world.signIn("alpha");
    const headers = { authorization: `Bearer ${token}` };
    const refused = await world.ask(headers, "POST", "/cases", { title: "x" });
    const detail = "site: is required for a caller with several sites";
    expect([refused.status, JSON.parse(refused.text)]).toEqual([400, { detail }]);
    expect((await world.ask(headers, "GET", `/cases/${world.both.case}`)).status).toBe(200);
    await world.asAdmin("PATCH", "/users/alpha", { sites: ["Alpha"] });
  });
});

describe("changes by callers restricted to one site", () => {
  it("allows every step in the life of a case", async () => {
    const raise = async (title: string) => (await ofUser("POST", "/alerts", { title, source: "life" })).body.id;
    const [one, two, three] = [await raise("one"), await raise("two"), await raise("three")];
    const { body: opened } = await ofUser("POST", `/alerts/${one}/promote`);
    const at = `/cases/${opened.id}`;
    const made = async (method: string, path: string, body?: object) => {
      const answer = await ofUser(method, `${at}${path}`, body);
      expect([method, path, Math.floor(answer.status / 100), answer.body]).toEqual([method, path, 2, answer.body]);
      return answer.body;
    };
    const observable = await made("POST", "/observables", { type: "ip", value: "10.0.0.9" });
    await made("PATCH", `/observables/${observable.id}`, { source: "dns" });
    const comment = await made("POST", "/comments", { body: "first" });
    await made("PATCH", `/comments/${comment.id}`, { body: "second" });
    const task = await made("POST", "/tasks", { title: "look" });
    await made("PATCH", `/tasks/${task.id}`, { status: "done" });
    const evidence = await made("POST", "/evidence", { name: "disk", evidence_type: "disk" });
    expect((await made("POST", `/evidence/${evidence.id}/custody`, { action: "sealed" })).ledger.sequence).toBe(2);
    await made("POST", "/files?name=a.txt", { content: "a" });
    await made("PATCH", "", { severity: "critical", status: "investigating", tags: ["x"] });
    expect(await made("POST", "/alerts", { alert_ids: [two, three] })).toEqual({ linked: 2, moved: 0 });
    await made("DELETE", `/alerts/${two}`);
    expect((await made("GET", "/history")).total).toBe(3);
    await made("DELETE", `/observables/${observable.id}`);
    const { body: source } = await ofUser("POST", "/cases", { title: "the same", alert_ids: [two] });
    expect((await made("POST", "/merge", { from: [source.id] })).moved.alerts).toBe(1);
    await made("DELETE", "");
    expect((await ofUser("GET", at)).status).toBe(404);
  });

  it("lets only the same caller undo a change and counts only what the caller sees", async () => {
    const expected_total = (await ofUser("GET", "/alerts?status=new")).body.total;
    const change = { filter: { status: ["new"] }, expected_total, tags_add: ["seen"] };
    const { body } = await ofUser("POST", "/alerts/bulk", change);
    expect(body.changed).toBe(expected_total);
    const tagged = await world.query("SELECT count(*)::int FROM alerts WHERE site <> 'Alpha' AND 'seen' = ANY (tags)");
    expect(tagged).toEqual([{ count: 0 }]);
    const { change_id } = await world.asAdmin("POST", "/alerts/bulk", { ids: [world.alpha.alert], tags_add: ["y"] });
    expect((await ofUser("POST", "/alerts/undo", { change_id })).status).toBe(404);
    const undone = (await ofUser("POST", "/alerts/undo", { change_id: body.change_id })).body;
    expect(undone.restored + undone.refused_total).toBe(expected_total);
  });

  it("records a verdict as feedback on the rule", async () => {
    const [rule] = await world.query("SELECT id FROM detection_rules LIMIT 1");
    await world.query("UPDATE alerts SET rule_id = $1 WHERE id = $2", [rule?.id ?? UNKNOWN, world.alpha.other]);
    expect((await ofUser("PATCH", `/alerts/${world.alpha.other}`, { verdict: "true_positive" })).status).toBe(200);
    const stored = await world.query("SELECT created_by FROM detection_feedback WHERE alert_id = $1", [
      world.alpha.other,
    ]);
    expect(stored).toEqual(rule ? [{ created_by: "alpha" }] : []);
  });

  it("does not move an alert out of a case of other sites", async () => {
    for (const [path, body] of [
      [`/alerts/${world.both.alert}/promote`, {}],
      [`/alerts/${world.both.alert}/case-link`, { case_id: world.alpha.case }],
      [`/cases/${world.alpha.case}/alerts`, { alert_ids: [world.both.alert] }],
      ["/cases", { title: "x", alert_ids: [world.both.alert] }],
    ] as const) {
      expect([path, (await ofUser("POST", path, body)).status]).toEqual([path, 409]);
    }
  });
});

describe("sites of a case", () => {
  const readSites = async (id: string) => (await world.query("SELECT sites FROM cases WHERE id = $1", [id]))[0]?.sites;

  it("keeps the sites of all alerts that were ever in the case", async () => {
    const raise = async (title: string, site?: string) =>
      (await world.asAdmin("POST", "/alerts", { title, source: "sites", ...(site !== undefined && { site }) })).id;
    const first = await raise("p1", "Alpha");
    const { id } = await world.asAdmin("POST", `/alerts/${first}/promote`);
    expect(await readSites(id)).toEqual(["Alpha"]);
    const second = await raise("p2", "Beta");
    await world.asAdmin("POST", `/alerts/${second}/case-link`, { case_id: id });
    await world.asAdmin("DELETE", `/cases/${id}/alerts/${second}`);
    expect(await readSites(id)).toEqual(["Alpha", "Beta"]);
    await world.asAdmin("POST", `/cases/${id}/alerts`, { alert_ids: [await raise("p3")] });
    expect(await readSites(id)).toEqual(["Alpha", "Beta", ""]);
    expect(await readSites((await world.asAdmin("POST", "/cases", { title: "by hand" })).id)).toEqual([""]);
    expect(await readSites((await world.asAdmin("POST", "/cases", { title: "b", site: "Beta" })).id)).toEqual(["Beta"]);
  });

  it("merges the sites of both cases, including in the source, which names the target", async () => {
    const open = async (title: string, site: string) => (await world.asAdmin("POST", "/cases", { title, site })).id;
    const [into, from] = [await open("into", "Beta"), await open("from", "Alpha")];
    expect((await ofUser("GET", `/cases/${from}`)).status).toBe(200);
    await world.asAdmin("POST", `/cases/${into}/merge`, { from: [from] });
    expect([await readSites(into), await readSites(from)]).toEqual([
      ["Alpha", "Beta"],
      ["Alpha", "Beta"],
    ]);
    expect((await ofUser("GET", `/cases/${from}`)).status).toBe(404);
  });
});

it("sends events of visible records only", () => expectOwnEvents(world));
