import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signIn } from "../../../testing/harness/sample-world.ts";
import { wholePlatform } from "../../../testing/harness/whole-platform.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

const SOON = { timeout: 30_000, interval: 200 };
/** Only the session that holds this lock numbers events. */
const LOCK = "hashtextextended('event order', 0)";
let platforms: Awaited<ReturnType<typeof wholePlatform>>[];
let owner: pg.Client;

beforeAll(async () => {
  const { url } = await freshDatabase();
  const first = await wholePlatform("real", url);
  platforms = [first, await wholePlatform("real", url)];
  owner = new pg.Client(url);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  for (const { close } of platforms) await close();
});

async function ask(path: string) {
  const [platform] = platforms;
  if (!platform) throw new Error("no platform");
  return (await platform.app.inject({ url: `/api/v1${path}`, headers: await signIn(platform.app) })).json();
}

async function listAlerts() {
  const { items } = await ask("/alerts?source=platform");
  return items.map(({ title, severity, status, occurrence_count, resolution }: Record<string, unknown>) => ({
    ...{ title, severity, status, occurrence_count, resolution },
  }));
}

async function storeOldEvent(): Promise<void> {
  await owner.query(
    `INSERT INTO outbox (at, type, subject_id, data) VALUES (now() - interval '61 s', 'alert.created', 'x', '{}')`,
  );
}

const ALERT = { title: "Events are delayed", severity: "high", occurrence_count: 1 };

it("raises one alert across all processes when an event has no number for a minute, and closes it afterwards", async () => {
  expect((await ask("/system/health")).event_delay_s).toBe(0);
  await owner.query(`SELECT pg_advisory_lock(${LOCK})`);
  await storeOldEvent();
  const { status, event_delay_s } = await ask("/system/health");
  expect(event_delay_s).toBeGreaterThanOrEqual(61);
  expect(event_delay_s).toBeLessThan(90);
  expect(status).toBe("degraded");
  await expect.poll(listAlerts, SOON).toEqual([{ ...ALERT, status: "new", resolution: null }]);

  await owner.query(`SELECT pg_advisory_unlock(${LOCK})`);
  const closed = { ...ALERT, status: "closed", resolution: "Events are delivered in time again." };
  await expect.poll(listAlerts, SOON).toEqual([closed]);
  expect((await ask("/system/health")).event_delay_s).toBe(0);
});

it("measures from the start of an open transaction that has written an event", async () => {
  await owner.query("BEGIN");
  await owner.query("INSERT INTO outbox (type, subject_id, data) VALUES ('alert.created', 'y', '{}')");
  await expect.poll(async () => (await ask("/system/health")).event_delay_s, SOON).toBeGreaterThan(1);
  await owner.query("COMMIT");
  await expect.poll(async () => (await ask("/system/health")).event_delay_s, SOON).toBe(0);
});

it("ignores a transaction that has written no event", async () => {
  await owner.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await owner.query("SELECT pg_current_xact_id(), count(*) FROM outbox");
  await owner.query("SELECT pg_sleep(0.2)");
  expect((await ask("/system/health")).event_delay_s).toBeLessThan(0.2);
  await owner.query("ROLLBACK");
});
