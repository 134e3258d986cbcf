import type { Frame } from "@kit/http/frame";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import type { Detections } from "../module.ts";

const ADMIN = { kind: "user", username: "admin", role: "admin" } as const;
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

async function countDeadlocks(): Promise<number> {
  const { rows } = await owner.query<{ deadlocks: string }>(
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  );
  return Number(rows[0]?.deadlocks);
}

/** Waits until this many sessions of the database wait for a lock. */
async function waitForWaiters(count: number): Promise<void> {
  const waiting = `SELECT count(*)::int AS found FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await owner.query(waiting)).rows[0]?.found, { interval: 20 }).toBe(count);
}

it("locks alerts in one order if a rule raises alerts that a user changes concurrently", async () => {
  const payload = { name: "Seen", source: "siem", query: "x", alert_title_template: "{host}" };
  const rule = (await app.inject({ method: "POST", url: "/api/v1/detections/rules", payload })).json();
  const known = { id: rule.id, version: 1, source: "siem", condition: undefined };
  const raise = (hosts: readonly string[]) =>
    detections.workerRules.raise(
      known,
      hosts.map((host) => sampleLog({ id: platform.ids.next(), host })),
    );
  // The order of the ids differs from the order of the titles.
  for (const host of ["zulu", "alpha"]) await raise([host]);
  const { rows } = await owner.query<{ id: string }>("SELECT id FROM alerts ORDER BY id");
  const ids = rows.map(({ id }) => id);
  const before = await countDeadlocks();

  const holder = new pg.Client(platform.url);
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM alerts WHERE id = $1 FOR UPDATE", [ids[0]]);
  const changing = app.inject({ method: "POST", url: "/api/v1/alerts/bulk", payload: { ids, status: "triaged" } });
  await waitForWaiters(1);
  const raising = raise(["alpha", "zulu"]);
  await waitForWaiters(2);
  await holder.end();

  expect((await changing).statusCode).toBe(200);
  await raising;
  const { rows: alerts } = await owner.query("SELECT title, status, occurrence_count FROM alerts ORDER BY title");
  expect(alerts).toEqual([
    { title: "alpha", status: "triaged", occurrence_count: 2 },
    { title: "zulu", status: "triaged", occurrence_count: 2 },
  ]);
  // The server publishes its statistics with a delay.
  await platform.clock.sleep(1500);
  expect(await countDeadlocks()).toBe(before);
});

it("retries a change that PostgreSQL rolled back because of a deadlock", async () => {
  await owner.query("CREATE TABLE steps (name text PRIMARY KEY, count integer NOT NULL)");
  await owner.query("GRANT SELECT, UPDATE ON steps TO soc_app");
  await owner.query("INSERT INTO steps VALUES ('one', 0), ('two', 0)");
  let begun = 0;
  let held = 0;
  const change = (names: readonly string[]) =>
    platform.changes.runAs(ADMIN, "change", async (tx) => {
      begun += 1;
      for (const name of names) {
        await sql`UPDATE steps SET count = count + 1 WHERE name = ${name}`.execute(tx);
        // Each transaction holds its first row before either requests its second.
        held += 1;
        if (held <= 2) await expect.poll(() => held).toBe(2);
      }
    });
  await Promise.all([change(["one", "two"]), change(["two", "one"])]);
  const { rows } = await owner.query("SELECT name, count FROM steps ORDER BY name");
  expect(rows).toEqual([
    { name: "one", count: 2 },
    { name: "two", count: 2 },
  ]);
  expect(begun).toBe(3);
});
