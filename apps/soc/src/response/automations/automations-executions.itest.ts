import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { driveToEnd } from "../../../testing/matrices/response-drive.ts";
import { createPlaybookWorld, PARAMETERS, type PlaybookWorld } from "../../../testing/matrices/response-places.ts";
import { outboxStream } from "../../../testing/servers/nats-streams.ts";
import { createAuditLog } from "../../foundation/audit.feature.ts";
import type { Consumption } from "../../foundation/events/event-stream.ts";
import { buildAutomation } from "./automation.ts";
import { createAutomationFirings } from "./automation-firings.ts";
import { createAutomationsWriter } from "./automations.store.ts";
import { consumeAlerts } from "./automations.worker.ts";

const SENSOR = { kind: "user", username: "sensor", role: "agent" } as const;
const MANAGER = { kind: "user", username: "manager", role: "manager" } as const;

/** No event is parked here; parked-events.itest.ts covers that. */
const UNPARKED = { park: (_: unknown, failure: unknown) => Promise.reject(failure) };

let platform: TestPlatform;
let world: PlaybookWorld;
let consumption: Consumption;

beforeEach(async () => {
  platform = await testPlatform("real");
  const { db, clock } = platform;
  world = await createPlaybookWorld(platform);
  const { alerts, executions, audit } = world.parts;
  const {
    services: { auditLog },
  } = createAuditLog(platform);
  const firings = createAutomationFirings({ db, alerts, auditLog, executions, audit, clock, log: silentLog });
  consumption = consumeAlerts({ outbox: outboxStream(platform), firings, parked: UNPARKED });
  // A new consumer starts after the existing events, so wait until it has stored its position.
  const cursor = sql`SELECT FROM stream_cursors WHERE consumer = 'automations'`;
  await expect.poll(async () => (await cursor.execute(db)).rows.length, { timeout: 10_000 }).toBe(1);
});
afterEach(async () => {
  await consumption.close();
  await platform.close();
});

async function automate(playbook_id: string): Promise<void> {
  const body = { name: "night", condition: "title:*strange*", playbook_id, parameters: PARAMETERS };
  const { db, ids, clock } = platform;
  const row = buildAutomation(
    body,
    ids.next(),
    { username: "admin", permissions: ["soar:execute", "edr:manage"] },
    clock.now(),
  );
  expect(await createAutomationsWriter(db).insert(row)).toBe(true);
}

async function raise(title = "a strange thing", about: object = { host: "WS-1", user: "layla" }): Promise<string> {
  const report = { title, source: "sensor", site: "office", ...about };
  return (await platform.db.transaction().execute((tx) => world.parts.alerts.create(tx, SENSOR, report))).alert.id;
}

const firing = () => platform.db.selectFrom("automation_firings").selectAll().executeTakeFirst();
const executions = async () => (await world.parts.executions.list({})).items;
const decide = (id: string, approved: boolean) =>
  platform.db.transaction().execute((tx) => world.approvals.decide(tx, MANAGER, id, { approved }));

async function askedApproval(): Promise<string> {
  await expect.poll(firing, { timeout: 10_000 }).toMatchObject({ outcome: "pending_approval" });
  expect(await executions()).toEqual([]);
  return (await firing())?.approval_id ?? "";
}

it("runs the playbook of an automation for a new alert to its end", async () => {
  await automate("rogue-device");
  const alert_id = await raise();
  await expect.poll(async () => (await executions()).length, { timeout: 10_000 }).toBe(1);
  await driveToEnd(platform, world.parts);
  const [execution] = await executions();
  expect(execution).toMatchObject({
    playbook_id: "rogue-device",
    alert_id,
    requested_by: "automation:night",
    status: "completed",
    steps_completed: 6,
  });
  // Counted by hand from the playbook: one indicator and one notification leave the platform; all other effects are in
  // one case.
  const { cases, comments, tasks, keys } = await world.leftBehind(execution?.execution_id ?? "", world.adapter.calls);
  expect({ cases, comments, tasks, outside: keys.length }).toEqual({ cases: 1, comments: 1, tasks: 1, outside: 2 });
  expect(await firing()).toMatchObject({ outcome: "started", execution_id: execution?.execution_id });
});

it("starts a critical playbook automatically after its approval", async () => {
  await automate("ransomware-host");
  const alert_id = await raise();
  const approval_id = await askedApproval();
  await decide(approval_id, true);
  await expect.poll(async () => (await executions()).length, { timeout: 10_000 }).toBe(1);
  await driveToEnd(platform, world.parts);
  expect(await executions()).toMatchObject([
    { playbook_id: "ransomware-host", alert_id, approval_id, requested_by: "automation:night", status: "completed" },
  ]);
});

it("records why it does not start an approved playbook that was disabled after the request", async () => {
  await automate("ransomware-host");
  await raise();
  const approval_id = await askedApproval();
  await platform.db.updateTable("playbooks").set({ enabled: false }).where("id", "=", "ransomware-host").execute();
  await decide(approval_id, true);
  const listAudit = () =>
    platform.db
      .selectFrom("audit_log")
      .select(["actor", "details"])
      .where("action", "=", "execution.refused")
      .where("subject_id", "=", approval_id)
      .execute();
  const details = { playbook_id: "ransomware-host", reason: "playbook 'ransomware-host' is disabled" };
  await expect.poll(listAudit, { timeout: 10_000 }).toEqual([{ actor: "automation:night", details }]);
  expect(await executions()).toEqual([]);
});

it("requests an approval without a playbook input and records that the playbook cannot start", async () => {
  await automate("leaked-credential");
  await raise(undefined, {});
  const approval_id = await askedApproval();
  await decide(approval_id, true);
  const refusals = () =>
    platform.db.selectFrom("audit_log").select("details").where("action", "=", "execution.refused").execute();
  const reason = "parameters.user: is required, because alert.user has no value";
  await expect.poll(refusals, { timeout: 10_000 }).toEqual([{ details: { playbook_id: "leaked-credential", reason } }]);
  expect(await executions()).toEqual([]);
});

it("starts nothing after a rejection", async () => {
  await automate("ransomware-host");
  await raise();
  await decide(await askedApproval(), false);
  const handled = sql`SELECT FROM outbox WHERE type = 'approval.decided'`;
  expect((await handled.execute(platform.db)).rows).toHaveLength(1);
  await raise("another strange thing");
  // The next alert is handled after the decision.
  const count = sql<{ n: number }>`SELECT count(*)::int AS n FROM automation_firings`;
  await expect.poll(async () => (await count.execute(platform.db)).rows[0]?.n, { timeout: 10_000 }).toBe(2);
  expect(await executions()).toEqual([]);
});
