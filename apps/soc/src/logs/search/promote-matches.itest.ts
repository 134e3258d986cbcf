import type { Frame } from "@kit/http/frame";
import { afterAll, beforeAll, expect, it } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import type { Detections } from "../../detection/module.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { promoteRoutes } from "./promote.routes.ts";
import { createPromoteService } from "./promote.service.ts";

let platform: TestPlatform;
let app: Frame;
let promoting: Frame;
let laterMs = 0;
let detections: Detections;
const logs = new Map<string, LogEvent>();

beforeAll(async () => {
  platform = await testPlatform("real");
  const clock = { ...platform.clock, now: () => new Date(platform.clock.now().getTime() + laterMs) };
  const made = await detectionsPlatform(platform, absentLogStore(), clock);
  ({ app, detections } = made);
  const promotions = createPromoteService({
    logs: { get: async (_scope, id) => logs.get(id) ?? sampleLog({ id }) },
    rules: detections.promotedMatches,
    suppressions: detections.suppressions,
    exceptions: detections.exceptions,
    matches: {
      ...detections.promotedMatches,
      async retryWhileBusy(work) {
        await beforeTransaction();
        return detections.promotedMatches.retryWhileBusy(work);
      },
    },
    alerts: made.alerts,
    stored: made.alertChanges,
    audit: createAuditStore(platform.ids),
  });
  promoting = await featureApp(platform, promoteRoutes(promotions, platform.changes));
});

afterAll(() => platform.close());

/** Runs once between the reads of a promotion and its transaction. */
let beforeTransaction = async (): Promise<void> => undefined;

function newLog(fields: Partial<LogEvent> = {}): LogEvent {
  const log = sampleLog({ id: platform.ids.next(), ingested_at: platform.clock.now().toISOString(), ...fields });
  logs.set(log.id, log);
  return log;
}

async function ask(path: string, payload: object) {
  const answer = await app.inject({ method: "POST", url: `/api/v1${path}`, payload });
  return answer.json();
}

const addRule = () =>
  ask("/detections/rules", { name: `Rule ${platform.ids.next()}`, query: "x", alert_title_template: "{rule_name}" });

async function promote(log: LogEvent, rule_id: string) {
  const url = `/api/v1/siem/logs/${log.id}/promote`;
  const answer = await promoting.inject({ method: "POST", url, payload: { rule_id } });
  return { status: answer.statusCode, body: answer.json() };
}

const listMatches = (rule_id: string) =>
  platform.db.selectFrom("detection_matches").selectAll().where("rule_id", "=", rule_id).execute();

it("makes a promoted log one match of the rule, reported and counted once however often it is promoted", async () => {
  const rule = await addRule();
  const log = newLog();
  const first = await promote(log, rule.id);
  expect(first).toMatchObject({ status: 201, body: { alert: { log_ids: [log.id], occurrence_count: 1 } } });
  const again = await promote(log, rule.id);
  expect(again).toMatchObject({
    status: 200,
    body: { alert: { id: first.body.alert.id, log_ids: [log.id], occurrence_count: 1 } },
  });
  expect(await listMatches(rule.id)).toMatchObject([
    { log_id: log.id, rule_version: 1, run_id: null, alert_id: first.body.alert.id, suppression_id: null },
  ]);
  const other = newLog();
  const second = await promote(other, rule.id);
  expect(second.body.alert).toMatchObject({ log_ids: [log.id, other.id], occurrence_count: 2 });
  const counts = await platform.db.selectFrom("detection_counts").selectAll().where("rule_id", "=", rule.id).execute();
  expect(counts.reduce((sum, { matches }) => sum + matches, 0)).toBe(2);
});

it("does not report a log twice if the rule finds it before or after the promotion", async () => {
  const rule = await addRule();
  const [promoted, found] = [newLog(), newLog()];
  const { body } = await promote(promoted, rule.id);
  const workerRule = { id: rule.id, version: 1, source: "", condition: undefined };
  await detections.workerRules.raise(workerRule, [promoted, found]);
  const answer = await promote(found, rule.id);
  expect(answer).toMatchObject({ status: 200, body: { alert: { id: body.alert.id, occurrence_count: 2 } } });
  expect(answer.body.alert.log_ids.toSorted()).toEqual([promoted.id, found.id].toSorted());
  expect(await listMatches(rule.id)).toHaveLength(2);
});

it("reports a suppressed match once the suppression has ended", async () => {
  const rule = await addRule();
  const log = newLog({ host: "srv-quiet" });
  const quiet = await ask(`/detections/rules/${rule.id}/suppressions`, {
    name: "Pen test",
    reason: "planned",
    criteria: { host: "srv-quiet" },
    suppress_for_hours: 1,
  });
  const workerRule = { id: rule.id, version: 1, source: "", condition: undefined };
  await detections.workerRules.raise(workerRule, [log]);
  expect(await listMatches(rule.id)).toMatchObject([{ alert_id: null, suppression_id: quiet.id }]);
  expect((await promote(log, rule.id)).status).toBe(409);
  laterMs = 2 * 3_600_000;
  const promotion = await promote(log, rule.id);
  expect(promotion).toMatchObject({ status: 201, body: { alert: { log_ids: [log.id] } } });
  expect(await listMatches(rule.id)).toMatchObject([{ alert_id: promotion.body.alert.id, suppression_id: null }]);
});

it("creates one alert and one match when twenty callers promote the same log concurrently", async () => {
  const rule = await addRule();
  const log = newLog();
  const answers = await Promise.all(Array.from({ length: 20 }, () => promote(log, rule.id)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
  expect(answers.at(-1)?.body.alert.occurrence_count).toBe(1);
  expect(await listMatches(rule.id)).toHaveLength(1);
});

it("refuses a log that a suppression began to match after the log was read", async () => {
  const rule = await addRule();
  const log = newLog({ host: "srv-quiet" });
  beforeTransaction = async () => {
    beforeTransaction = async (): Promise<void> => undefined;
    const suppression = { name: "Pen test", criteria: { host: "srv-quiet" }, suppress_for_hours: 1 };
    await ask(`/detections/rules/${rule.id}/suppressions`, suppression);
  };
  expect(await promote(log, rule.id)).toEqual({
    status: 409,
    body: { detail: "rule_id: suppression 'Pen test' is active and matches this log" },
  });
  expect(await listMatches(rule.id)).toEqual([]);
});
