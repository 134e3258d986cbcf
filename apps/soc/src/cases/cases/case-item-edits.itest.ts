import type { Frame } from "@kit/http/frame";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createAlertChanges } from "../../alerts/alerts/alert-changes.ts";
import { createAlerts } from "../../alerts/module.ts";
import { compileAlertQuery } from "../../logs/query/alert-query.ts";
import { createCases } from "./cases.feature.ts";

let platform: TestPlatform;
let app: Frame;

beforeAll(async () => {
  platform = await testPlatform("real");
  const changes = createAlertChanges(platform);
  const ledger = { append: () => Promise.reject(new Error("no case is deleted here")) };
  const cases = createCases(platform, { alerts: changes, ledger });
  app = await featureApp(
    platform,
    ...createAlerts(platform, { ...cases.services, changes, compileQuery: compileAlertQuery }).registrations.routes,
    ...cases.registrations.routes,
  );
});

afterAll(() => platform.close());

async function ask(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, payload?: object, role = "tier2") {
  const headers = { "x-role": role };
  const answer = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

const openCase = async (fields: object = {}) =>
  (await ask("POST", "/cases", { title: "Intrusion", ...fields })).body.id;

async function readTimeline(case_id: string): Promise<string[]> {
  const { items } = (await ask("GET", `/cases/${case_id}/timeline`)).body;
  return items.map(({ action }: { action: string }) => action);
}

describe("observables of a case", () => {
  it("returns the existing observable for an equal one, even when ten arrive at once", async () => {
    const id = await openCase();
    const observable = { type: "ip", value: "192.0.2.7" };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask("POST", `/cases/${id}/observables`, observable)),
    );
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual([...Array(9).fill("200"), "201"]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await ask("GET", `/cases/${id}/observables`)).body.total).toBe(1);
    expect((await ask("POST", `/cases/${await openCase()}/observables`, observable)).status).toBe(201);
  });

  it("changes and removes an observable and records both in the timeline", async () => {
    const id = await openCase();
    const { body: added } = await ask("POST", `/cases/${id}/observables`, { type: "ip", value: "192.0.2.8" });
    await ask("POST", `/cases/${id}/observables`, { type: "ip", value: "192.0.2.9" });
    const path = `/cases/${id}/observables/${added.id}`;
    const changed = await ask("PATCH", path, { value: "192.0.2.80", tags: ["c2"] });
    expect(changed).toMatchObject({ status: 200, body: { id: added.id, value: "192.0.2.80", tags: ["c2"] } });
    expect(await ask("PATCH", path, { value: "192.0.2.9" })).toMatchObject({ status: 409 });
    expect(await ask("DELETE", path)).toEqual({ status: 200, body: { deleted: true, id: added.id } });
    expect((await ask("GET", `/cases/${id}/observables`)).body.total).toBe(1);
    expect(await ask("DELETE", path)).toMatchObject({ status: 404 });
    expect((await readTimeline(id)).slice(0, 2)).toEqual([
      "observable removed: ip 192.0.2.80",
      'observable ip 192.0.2.8 value: 192.0.2.8 → 192.0.2.80; tags: [] → ["c2"]',
    ]);
  });

  it("refuses an observable with an integer that JSON has rounded", async () => {
    const id = await openCase();
    const answer = await app.inject({
      method: "POST",
      url: `/api/v1/cases/${id}/observables`,
      headers: { "content-type": "application/json" },
      payload: '{"type": "asn", "value": "x", "context": {"n": [9007199254740993]}}',
    });
    expect([answer.statusCode, answer.json().detail]).toEqual([
      400,
      expect.stringMatching(/^context: contains an integer/),
    ]);
  });
});

describe("comments of a case", () => {
  it("lets only the author edit a comment and keeps the old text in the timeline", async () => {
    const id = await openCase();
    const { body: added } = await ask("POST", `/cases/${id}/comments`, { body: "It was sam" });
    expect(added.edited_at).toBeNull();
    const path = `/cases/${id}/comments/${added.id}`;
    expect(await ask("PATCH", path, { body: "It was noor" }, "tier3")).toMatchObject({ status: 403 });
    const edited = await ask("PATCH", path, { body: "It was not sam" });
    expect(edited).toMatchObject({ status: 200, body: { body: "It was not sam", edited_at: expect.any(String) } });
    expect((await readTimeline(id))[0]).toBe("comment edited; it was: It was sam");
  });

  it("lets the author or a caller with cases:delete remove a comment", async () => {
    const id = await openCase();
    const add = async () => (await ask("POST", `/cases/${id}/comments`, { body: "Noise" })).body.id;
    const [first, second] = [await add(), await add()];
    expect(await ask("DELETE", `/cases/${id}/comments/${first}`, undefined, "tier3")).toMatchObject({ status: 403 });
    expect(await ask("DELETE", `/cases/${id}/comments/${first}`)).toMatchObject({ status: 200 });
    expect(await ask("DELETE", `/cases/${id}/comments/${second}`, undefined, "manager")).toMatchObject({ status: 200 });
    expect((await ask("GET", `/cases/${id}/comments`)).body.total).toBe(0);
    expect((await readTimeline(id))[0]).toBe("comment of tier2 removed; it was: Noise");
  });
});

it("changes the title of a task and removes the task", async () => {
  const id = await openCase();
  const { body: task } = await ask("POST", `/cases/${id}/tasks`, { title: "Call sam" });
  const path = `/cases/${id}/tasks/${task.id}`;
  expect((await ask("PATCH", path, { title: "Call noor" })).body.title).toBe("Call noor");
  expect(await ask("DELETE", path)).toMatchObject({ status: 200 });
  expect((await readTimeline(id)).slice(0, 2)).toEqual([
    "task removed: Call noor, which was todo",
    "task 'Call sam' title: Call sam → Call noor",
  ]);
});

it.each(["  ", "\u3000"])("refuses a case with a blank title: %j", async (title) => {
  const refused = await ask("POST", "/cases", { title });
  expect(refused).toEqual({ status: 400, body: { detail: "title: must not be blank" } });
});

describe("linking an alert to a case", () => {
  const report = async (fields: object = {}) =>
    (await ask("POST", "/alerts", { title: `finding ${platform.ids.next()}`, source: "edr", ...fields })).body;

  it("records in the timeline of a case that an alert moved to another case", async () => {
    const { id: alert_id } = await report();
    const from = await openCase({ alert_ids: [alert_id] });
    const to = await openCase({ alert_ids: [alert_id] });
    expect((await readTimeline(from))[0]).toBe(`moved alert ${alert_id} to case ${to}`);
    await ask("PATCH", `/cases/${to}`, { status: "closed" });
    const { body: promoted } = await ask("POST", `/alerts/${alert_id}/promote`);
    expect((await readTimeline(to))[0]).toBe(`moved alert ${alert_id} to case ${promoted.id}`);
  });

  it("copies IOCs, entities and techniques of a promoted alert without duplicates", async () => {
    const sha256 = "a".repeat(64);
    const { id } = await report({
      host: "WS-7",
      user: "CORP\\ann",
      iocs: ["203.0.113.9", "evil.example", "https://evil.example/x", sha256, "boss@evil.example", "odd value"],
      mitre_techniques: ["T1566.002"],
    });
    const { body: opened } = await ask("POST", `/alerts/${id}/promote`);
    expect(opened.mitre_techniques).toEqual(["T1566.002"]);
    const { items } = (await ask("GET", `/cases/${opened.id}/observables`)).body;
    const found = items.map(({ type, value }: { type: string; value: string }) => `${type} ${value}`);
    expect(found.toSorted()).toEqual([
      "domain evil.example",
      "email boss@evil.example",
      "host WS-7",
      "ip 203.0.113.9",
      "other odd value",
      `sha256 ${sha256}`,
      "url https://evil.example/x",
      "user CORP\\ann",
    ]);
    expect(items[0]).toMatchObject({ source: "edr", context: { alert_id: id } });
    expect(await readTimeline(opened.id)).toContain("8 observables taken over from the alert");
  });
});

describe("list of cases", () => {
  it("accepts several values of a filter, repeated or separated by commas", async () => {
    const assignee = `${platform.ids.next()}@example.org`;
    const [high, low] = [await openCase({ assignee, severity: "high" }), await openCase({ assignee, severity: "low" })];
    await openCase({ assignee, severity: "info" });
    for (const query of ["severity=high,low", "severity=high&severity=low"]) {
      const { items } = (await ask("GET", `/cases?assignee=${assignee}&sort=severity&${query}`)).body;
      expect(items.map(({ id }: { id: string }) => id)).toEqual([low, high]);
    }
  });

  it("also searches observables and comments", async () => {
    const [byValue, byComment] = [await openCase(), await openCase()];
    await ask("POST", `/cases/${byValue}/observables`, { type: "domain", value: "q7-evil.example" });
    await ask("POST", `/cases/${byComment}/comments`, { body: "Same actor as q7-campaign, see the wiki" });
    const find = async (q: string) =>
      (await ask("GET", `/cases?q=${q}`)).body.items.map(({ id }: { id: string }) => id);
    expect(await find("q7-evil.example")).toEqual([byValue]);
    expect(await find("q7-campaign%20actor")).toEqual([byComment]);
    expect(await find("q7-campaign%20evil")).toEqual([]);
  });
});
