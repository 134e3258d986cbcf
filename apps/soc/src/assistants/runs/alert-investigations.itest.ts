import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRunsWorld, type RunsWorld } from "../../../testing/harness/runs-world.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { createRunsWriter } from "./runs.store.ts";
import { consumeAlerts, createAlertInvestigations } from "./runs.worker.ts";

const SENSOR = { kind: "user", username: "sensor", role: "agent" } as const;
let world: RunsWorld;
let automatic: ReturnType<typeof createAlertInvestigations>;

beforeAll(async () => {
  const { url } = await freshDatabase();
  world = await createRunsWorld(url);
  automatic = createAlertInvestigations({ ...world.base, alerts: world.alerts });
});
afterAll(() => world.close());

const count = async (where = "true") =>
  Number(
    (await sql<{ n: string }>`SELECT count(*) AS n FROM investigations WHERE ${sql.raw(where)}`.execute(world.base.db))
      .rows[0]?.n,
  );

async function report(title: string) {
  const { db } = world.base;
  const made = { title, source: "edr", severity: "critical", host: "WS5" } as const;
  return (await db.transaction().execute((tx) => world.alerts.create(tx, SENSOR, { ...made, log_ids: ["log-4"] })))
    .alert;
}

it("investigates a new and a reopened alert once each, however often the event is delivered", async () => {
  const consumption = consumeAlerts(world.outbox, automatic, silentLog);
  const cursor = sql`SELECT FROM stream_cursors WHERE consumer = 'investigations'`;
  await expect.poll(async () => (await cursor.execute(world.base.db)).rows.length, { timeout: 60_000 }).toBe(1);
  const alert = await report("Dump");
  await expect.poll(() => count(), { timeout: 60_000 }).toBe(1);
  await report("Dump");
  const { db } = world.base;
  await db.transaction().execute((tx) => world.alerts.update(tx, SENSOR, alert.id, { status: "resolved" }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  await report("Dump");
  await expect.poll(() => count(), { timeout: 60_000 }).toBe(2);
  await consumption.close();
  const { rows } = await sql<{ id: string; type: string; subject_id: string }>`
    SELECT event_id AS id, 'alert.created' AS type, alert_id AS subject_id FROM investigations`.execute(db);
  for (const event of rows) await automatic.consider(event);
  expect(await count()).toBe(2);

  const [handed] = await world.runs.services.work.claim(1);
  if (!handed) throw new Error("nothing was claimed");
  await world.runs.services.createInvestigator({ createReader: world.createReader }).run(handed);
  const found = await world.runs.services.runs.get(handed.investigation_id);
  expect(found).toMatchObject({ trigger: "alert", requested_by: "agent:SupervisorAgent", status: "completed" });
  const noted = sql<{ body: string }>`SELECT body FROM case_comments WHERE case_id = ${found.case_id}`;
  const comments = (await noted.execute(db)).rows.map(({ body }) => body);
  expect(comments.filter((body) => body.startsWith(`Investigation ${found.investigation_id}: `))).toHaveLength(1);
});

it("ignores other events and alerts that were deleted", async () => {
  const before = await count();
  const subject_id = "0197f000-0000-7000-8000-00000000dead";
  await automatic.consider({ id: "e1", type: "alert.created", subject_id });
  await automatic.consider({ id: "e2", type: "alert.updated", subject_id: (await report("Other")).id });
  expect(await count()).toBe(before);
});

it("drops the least severe of too many and counts them", async () => {
  const { db } = world.base;
  await sql`INSERT INTO investigations (investigation_id, status, trigger, event_id, alert_context, severity, has_cps_assets,
      requested_by, caller, created_at, due_at)
    SELECT gen_random_uuid(), 'queued', 'alert', 'flood ' || n, '{}', CASE WHEN n <= 3 THEN 'info' ELSE 'high' END, false,
      'agent:SupervisorAgent', '{}', now(), now() FROM generate_series(1, 1002) AS n`.execute(db);
  const waiting = await count("due_at IS NOT NULL AND trigger = 'alert'");
  await automatic.bound();
  expect(await count("due_at IS NOT NULL AND trigger = 'alert'")).toBe(1000);
  expect(await count("was_dropped AND severity = 'info'")).toBe(Math.min(3, waiting - 1000));
  expect(await world.runs.services.runs.queue()).toMatchObject({
    queued: 1000,
    dropped_24h: waiting - 1000,
    capacity: 1000,
  });
  await automatic.bound();
  expect(await createRunsWriter(db).dropBeyond(1000, "x", world.base.clock.now())).toEqual([]);
});
