import type { Frame } from "@kit/http/frame";
import { silentLog } from "@kit/log/silent";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import type { Detections } from "../module.ts";
import { createAccountingStore } from "../scheduling/accounting.store.ts";
import { createBackfillService } from "../scheduling/backfill.service.ts";
import { createBackfillStore } from "../scheduling/backfill.store.ts";

let platform: TestPlatform;
let owner: pg.Client;
let app: Frame;
let detections: Detections;

beforeAll(async () => {
  platform = await testPlatform("real");
  owner = new pg.Client(platform.url);
  await owner.connect();
  ({ app, detections } = await detectionsPlatform(platform, absentLogStore()));
});

afterAll(async () => {
  await owner.end();
  await platform.close();
});

async function read(path: string, role = "auditor") {
  return (await app.inject({ url: `/api/v1/detections${path}`, headers: { "x-role": role } })).json();
}

async function addRule(fields: object = {}) {
  const payload = { name: "rule", query: "x", ...fields };
  return (await app.inject({ method: "POST", url: "/api/v1/detections/rules", payload })).json();
}

it("shows how the time of a rule is accounted for, its matches, and its last error", async () => {
  const rule = await addRule({ name: "Healthy" });
  expect(await read(`/rules/${rule.id}/health`)).toMatchObject({ total_s: 0, matches_7d: 0, last_error: null });
  for (const verdict of ["true_positive", "false_positive", "false_positive", "needs_tuning"]) {
    await app.inject({ method: "POST", url: `/api/v1/detections/rules/${rule.id}/feedback`, payload: { verdict } });
  }
  await createAccountingStore(platform.db).sync();
  const known = { id: rule.id, version: 1, source: "", condition: undefined };
  await detections.workerRules.raise(known, [sampleLog({ id: "log-1" }), sampleLog({ id: "log-2" })]);
  const to = platform.clock.now();
  const window = { from: new Date(to.getTime() - 60_000), to };
  // This test has no log store.
  await expect(detections.workerRules.run(known, window, undefined)).rejects.toThrow();
  await owner.query("UPDATE detection_coverage SET accounted_from = now() - interval '1 hour', skipped_s = 600");
  await owner.query("UPDATE detection_coverage SET window_from = now(), ran_s = 2900, capped_s = 60, silent_s = 40");
  await owner.query("UPDATE detection_stream SET position = now()");
  const health = await read(`/rules/${rule.id}/health`);
  expect(health).toMatchObject({ rule_id: rule.id, name: "Healthy", enabled: true, matches_7d: 2, alerts_7d: 1 });
  expect(health).toMatchObject({ matches_24h: 2, true_positives_30d: 1, false_positives_30d: 2 });
  expect(health).toMatchObject({ skipped_s: 600, capped_s: 60, silent_s: 40, last_error: expect.any(String) });
  const { ran_s, late_s, skipped_s, capped_s, silent_s, total_s } = health;
  expect(ran_s + late_s + skipped_s + capped_s + silent_s).toBeCloseTo(total_s, 1);
  const list = await read("/health?q=healthy");
  expect(list.items.map(({ rule_id }: { rule_id: string }) => rule_id)).toEqual([rule.id]);
});

it("hides the health of a rule that is not shared with the caller", async () => {
  const rule = await addRule({ name: "Mine", sharing_mode: "private" });
  expect(await read(`/rules/${rule.id}/health`, "tier1")).toEqual({ detail: `rule '${rule.id}' does not exist` });
  expect((await read("/health?q=mine", "tier1")).items).toEqual([]);
});

it("marks a backfill, and does not count it as a run of the last 24 hours", async () => {
  const rule = await addRule({ name: "Backfilled" });
  await owner.query("UPDATE detection_rules SET updated_at = now() - interval '10 minutes' WHERE id = $1", [rule.id]);
  await owner.query("UPDATE detection_stream SET position = now()");
  await createAccountingStore(platform.db).sync();
  const before = (await read("/metrics")).runs_24h;
  const backfills = createBackfillStore(platform.db);
  const rules = { ...detections.workerRules, run: runOn([sampleLog({ id: "log-9" })]) };
  const service = createBackfillService({ backfills, rules, log: silentLog });
  for (const { id } of await backfills.claimDue(100)) await service.run(id);
  const runs = await read(`/rules/${rule.id}/runs`);
  expect(runs.items).toMatchObject([{ trigger_mode: "scheduled", is_backfill: true, match_count: 1 }]);
  expect((await read(`/rules/${rule.id}/runs?is_backfill=false`)).items).toEqual([]);
  expect((await read("/metrics")).runs_24h).toBe(before);
});

/** Runs with known logs, because this test has no log store. */
function runOn(logs: Parameters<Detections["workerRules"]["run"]>[2]): Detections["workerRules"]["run"] {
  return (rule, window, _found, is_backfill) => detections.workerRules.run(rule, window, logs, is_backfill);
}
