import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import { type AlertsStore, createAlertsStore } from "../../alerts/alerts/alerts.store.ts";
import { ALL_SITES } from "../caller/caller.ts";
import type { Database } from "../database/tables.ts";

const ALERTS = 60_000;
const OLD = 35_000;

let owner: pg.Client;
let database: Database;
let alerts: AlertsStore;

// The newest 25,000 alerts all have the source "new" and never "old"; every second alert is high.
beforeAll(async () => {
  const { url } = await freshDatabase();
  owner = new pg.Client(url);
  await owner.connect();
  await owner.query(`
    INSERT INTO alerts (id, fingerprint, title, source, severity, status, iocs, occurrence_count, first_seen, last_seen,
      reopened_count, log_ids, mitre_techniques, tags, created_at, updated_at)
    SELECT gen_random_uuid(), encode(sha256(number::text::bytea), 'hex'), 'finding',
      CASE WHEN number <= ${OLD} THEN 'old' ELSE 'new' END,
      (CASE WHEN number % 2 = 0 THEN 'high' ELSE 'low' END)::alert_severity, 'new', '{}', 1, at, at, 0, '{}', '{}', '{}', at, at
    FROM generate_series(1, ${ALERTS}) AS number,
      LATERAL (SELECT timestamptz '2026-01-01Z' + number / 2 * interval '1 second' AS at) AS timed`);
  await owner.query("ANALYZE alerts");
  const migrationsFolder = `${import.meta.dirname}/../../migrations`;
  const onFirstAnswer = async () => undefined;
  database = createDatabase({ url, migrationsFolder, clock: createClock(), log: silentLog, onFirstAnswer });
  alerts = createAlertsStore(database.db);
});

afterAll(async () => {
  await owner.end();
  await database.close();
});

const ORDERS = { "-created_at": "created_at DESC, id DESC", severity: "severity, created_at, id" } as const;

/** Reads three pages and compares them with the table. */
it.each([
  ["all, where the first rows fill a page", {}, "true", "-created_at"],
  ["all in another order", {}, "true", "severity"],
  ["many, of which the first rows have none", { source: ["old"] }, "source = 'old'", "-created_at"],
  ["few enough to be counted", { source: ["absent"] }, "source = 'absent'", "-created_at"],
] as const)("lists %s", async (_, filter, where, sort) => {
  const { rows } = await owner.query<{ id: string }>(
    `SELECT id FROM alerts WHERE ${where} ORDER BY ${ORDERS[sort]} LIMIT 300`,
  );
  const listed: string[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < 3 && cursor !== null; page += 1) {
    const asked = { ...filter, source: "source" in filter ? [...filter.source] : undefined, sort, limit: 100 };
    const { source, ...others } = asked;
    const found = await alerts.list(ALL_SITES, { ...others, ...(source && { source }), ...(cursor && { cursor }) });
    listed.push(...found.items.map(({ id }) => id));
    cursor = found.next_cursor;
    if (rows.length > 0) expect(found.total_is_estimate).toBe(true);
    else expect(found).toMatchObject({ total: 0, items: [] });
  }
  expect(listed).toEqual(rows.map(({ id }) => id));
});

it("skips rows in the order of the whole list", async () => {
  const { rows } = await owner.query<{ id: string }>(
    `SELECT id FROM alerts ORDER BY ${ORDERS["-created_at"]} OFFSET 990 LIMIT 20`,
  );
  const { items } = await alerts.list(ALL_SITES, { skip: 990, limit: 20 });
  expect(items.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
});
