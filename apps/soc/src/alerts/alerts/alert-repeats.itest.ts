import { Worker } from "node:worker_threads";
import { createFakeClock } from "@kit/clock/fake";
import type { Frame } from "@kit/http/frame";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform, withClock } from "../../../testing/harness/feature-app.ts";
import { createCases } from "../../cases/cases/cases.feature.ts";
import { compileAlertQuery } from "../../logs/query/alert-query.ts";
import { createAlerts } from "../module.ts";
import type { Alert } from "./alert.ts";
import { createAlertChanges } from "./alert-changes.ts";

const HOUR_MS = 3_600_000;
const clock = createFakeClock(new Date("2026-05-01T08:00:00Z"));
let platform: TestPlatform;
let app: Frame;
let made = 0;

beforeAll(async () => {
  platform = await testPlatform("real");
  const base = withClock(platform, clock);
  const changes = createAlertChanges(base);
  const ledger = { append: () => Promise.reject(new Error("no case is deleted here")) };
  const cases = createCases(base, { alerts: changes, ledger });
  app = await featureApp(
    platform,
    ...createAlerts(base, { ...cases.services, changes, compileQuery: compileAlertQuery }).registrations.routes,
  );
});

afterAll(() => platform.close());

function newFinding(fields: object = {}) {
  made += 1;
  return { title: `finding ${made}`, source: "edr", ...fields };
}

async function report(finding: object): Promise<Alert> {
  const answer = await app.inject({ method: "POST", url: "/api/v1/alerts", payload: finding });
  expect([200, 201]).toContain(answer.statusCode);
  return answer.json();
}

async function change(id: string, fields: object): Promise<Alert> {
  const answer = await app.inject({ method: "PATCH", url: `/api/v1/alerts/${id}`, payload: fields });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

async function readEvents(subject_id: string): Promise<string[]> {
  const rows = await platform.db.selectFrom("outbox").select("type").where("subject_id", "=", subject_id).execute();
  return rows.map(({ type }) => type);
}

describe("repeated alert reports", () => {
  it("counts a report with reordered or duplicate IOCs as a repeat, with its time and logs", async () => {
    const finding = newFinding({ iocs: ["b", "a"], log_ids: ["log-1"] });
    const first = await report(finding);
    await clock.advance(60_000);
    const again = await report({ ...finding, iocs: ["a", "b", "a"], log_ids: ["log-2"] });
    const last_seen = clock.now().toISOString();
    expect(again).toEqual({ ...first, occurrence_count: 2, last_seen, log_ids: ["log-1", "log-2"] });
  });

  it("raises the severity for a repeat with a higher one and never lowers it", async () => {
    const finding = newFinding({ severity: "medium" });
    await report(finding);
    expect((await report({ ...finding, severity: "critical" })).severity).toBe("critical");
    expect((await report({ ...finding, severity: "low" })).severity).toBe("critical");
  });

  it("keeps the severity set by a person until a report is worse than all previous ones", async () => {
    const finding = newFinding({ severity: "high" });
    const { id } = await report(finding);
    await change(id, { severity: "low" });
    expect((await report(finding)).severity).toBe("low");
    expect((await report({ ...finding, severity: "critical" })).severity).toBe("critical");
  });

  it("adds the hosts and users of a repeat to the entities, each with one spelling", async () => {
    const finding = newFinding();
    await report({ ...finding, host: "WS-7", user: "CORP\\ann" });
    await report({ ...finding, host: "ws-7.corp.example", user: "ann@corp.example" });
    const { entities, host } = await report({ ...finding, host: "WS-8" });
    expect(host).toBe("WS-7");
    expect(entities).toEqual({
      hosts: [
        { name: "ws-7", full_name: "ws-7.corp.example", count: 2 },
        { name: "ws-8", full_name: "WS-8", count: 1 },
      ],
      users: [{ name: "ann", full_name: "ann@corp.example", count: 2 }],
      addresses: [],
      is_complete: true,
    });
  });

  it("marks the entities as incomplete above one hundred", async () => {
    const finding = newFinding();
    for (let host = 0; host < 100; host += 1) await report({ ...finding, host: `ws-${host}` });
    expect((await report({ ...finding, host: "ws-0" })).entities.is_complete).toBe(true);
    const { entities } = await report({ ...finding, host: "ws-100" });
    expect([entities.hosts.length, entities.hosts[0], entities.is_complete]).toEqual([
      100,
      { name: "ws-0", full_name: "ws-0", count: 2 },
      false,
    ]);
  });

  it.each(["resolved", "closed"])(
    "reopens an alert with status %s as unacknowledged and marks it as reopened",
    async (status) => {
      const finding = newFinding({ host: "WS-7" });
      const { id } = await report(finding);
      await change(id, { status, resolution: "cleaned", verdict: "true_positive" });
      await clock.advance(60_000);
      const reopened = await report(finding);
      expect(reopened).toMatchObject({
        id,
        status: "new",
        occurrence_count: 2,
        reopened_count: 1,
        reopened_at: clock.now().toISOString(),
        acknowledged_at: null,
        acknowledged_by: null,
        resolved_at: null,
        resolution: null,
        verdict: null,
      });
      expect(await readEvents(id)).toEqual(["alert.created", "alert.updated", "alert.reopened"]);
    },
  );

  it("only counts a repeat of an alert that is being worked on", async () => {
    const finding = newFinding();
    const { id } = await report(finding);
    await change(id, { status: "investigating" });
    const again = await report(finding);
    expect(again).toMatchObject({ status: "investigating", reopened_count: 0, acknowledged_by: "admin" });
  });
});

describe("fifty simultaneous equal reports", () => {
  it("creates one alert and answers all fifty reports while both cores are busy", async () => {
    const busy = Array.from({ length: 4 }, () => new Worker("for (;;);", { eval: true }));
    const finding = newFinding({ iocs: ["evil.example"] });
    const send = () => app.inject({ method: "POST", url: "/api/v1/alerts", payload: finding });
    const answers = await Promise.all(Array.from({ length: 50 }, send));
    await Promise.all(busy.map((worker) => worker.terminate()));
    const statuses = answers.map(({ statusCode }) => String(statusCode)).toSorted();
    expect(statuses).toEqual([...Array(49).fill("200"), "201"]);
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
    expect((await report(finding)).occurrence_count).toBe(51);
  }, 120_000);

  it("answers each of fifty reports separately when one of them is refused", async () => {
    const finding = newFinding();
    const send = (fields: object) =>
      app.inject({ method: "POST", url: "/api/v1/alerts", payload: { ...finding, ...fields } });
    const answers = await Promise.all([send({}), send({ description: "a\0" }), send({})]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 400, 200]);
  });
});

describe("false positive alerts", () => {
  async function reportFalsePositive(fields: object = {}) {
    const finding = newFinding({ host: "WS-7", user: "ann", severity: "high", ...fields });
    const { id } = await report(finding);
    await change(id, { status: "false_positive" });
    return { id, finding };
  }

  it("absorbs and counts repeats for 24 hours, then reopens the false positive", async () => {
    const { finding, id } = await reportFalsePositive();
    await clock.advance(HOUR_MS);
    await report({ ...finding, host: "ws-7.corp.example", user: "CORP\\Ann" });
    await clock.advance(23 * HOUR_MS - 1);
    expect(await report(finding)).toMatchObject({
      status: "false_positive",
      verdict: "false_positive",
      reopened_count: 0,
      suppressed_since_verdict: 2,
      occurrence_count: 3,
    });
    await clock.advance(1);
    expect(await report(finding)).toMatchObject({ id, status: "new", reopened_count: 1, verdict: null });
  });

  it.each([
    ["host", { host: "WS-8" }],
    ["user", { user: "bob" }],
    ["severity", { severity: "critical" }],
    ["lower severity", { severity: "low" }],
  ])("reopens a false positive immediately for a repeat with another %s", async (_what, other) => {
    const { finding } = await reportFalsePositive();
    const reopened = await report({ ...finding, ...other });
    expect(reopened).toMatchObject({ status: "new", reopened_count: 1 });
    expect(reopened).toMatchObject("severity" in other ? {} : other);
  });

  it("absorbs repeats with the reported severity after a person changed the severity", async () => {
    const finding = newFinding({ severity: "high" });
    const { id } = await report(finding);
    await change(id, { severity: "low", status: "false_positive" });
    expect(await report(finding)).toMatchObject({ status: "false_positive", suppressed_since_verdict: 1 });
  });

  it("restarts the count of absorbed repeats with the next verdict", async () => {
    const { finding, id } = await reportFalsePositive();
    await report(finding);
    await report({ ...finding, host: "WS-9" });
    await change(id, { status: "false_positive" });
    expect(await report({ ...finding, host: "WS-9" })).toMatchObject({ suppressed_since_verdict: 1 });
  });
});
