import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import type { WantedAlerts } from "../../alerts/alerts/alert-filters.ts";
import { createAlertsStore } from "../../alerts/alerts/alerts.store.ts";
import { ALL_SITES } from "../caller/caller.ts";
import type { Database } from "../database/tables.ts";
import { planSearch } from "./words.ts";

const TITLES = { table: "alerts", column: "words" };
const ALERTS = 30_000;

let database: Database;

// Alerts alternate between the sites Alpha and Beta. Every title has "everywhere", those of Beta "often", every
// hundredth "seldom", one "once"; every third alert is high.
beforeAll(async () => {
  const { url } = await freshDatabase();
  const owner = new pg.Client(url);
  await owner.connect();
  await owner.query(`
    INSERT INTO alerts (id, fingerprint, title, source, severity, status, iocs, occurrence_count, first_seen, last_seen,
      reopened_count, log_ids, mitre_techniques, tags, created_at, updated_at, site)
    SELECT gen_random_uuid(), encode(sha256(number::text::bytea), 'hex'),
      concat_ws(' ', 'everywhere', CASE WHEN number % 2 = 0 THEN 'often' END, CASE WHEN number % 100 = 0 THEN 'seldom' END,
        CASE WHEN number = 5000 THEN 'once' END),
      'sensor', (CASE WHEN number % 3 = 0 THEN 'high' ELSE 'low' END)::alert_severity, 'new', '{}', 1, at, at, 0, '{}',
      '{}', '{}', at, at, CASE WHEN number % 2 = 0 THEN 'Beta' ELSE 'Alpha' END
    FROM generate_series(1, ${ALERTS}) AS number,
      LATERAL (SELECT timestamptz '2026-01-01Z' + number * interval '1 second' AS at) AS timed`);
  await owner.query("ANALYZE alerts");
  await owner.end();
  const migrationsFolder = `${import.meta.dirname}/../../migrations`;
  const onFirstAnswer = async () => undefined;
  database = createDatabase({ url, migrationsFolder, clock: createClock(), log: silentLog, onFirstAnswer });
});

afterAll(() => database.close());

describe("word search", () => {
  it.each([
    [["seldom"], { indexed: ["seldom"], checked: [] }],
    [["everywhere", "once"], { indexed: ["once"], checked: ["everywhere"] }],
    [["everywhere"], { indexed: [], checked: ["everywhere"] }],
    [["every", "nowhere"], { indexed: ["nowhere"], checked: ["every"] }],
  ])("looks up the rare words of %j in the index: %j", async (words, plan) => {
    expect(await planSearch(database.db, TITLES, { words, needed: 50 })).toMatchObject(plan);
  });

  it.each([
    ["seldom", 300],
    ["everywhere once", 1],
    ["once seldom often everywhere", 1],
    ["everywhere nowhere", 0],
  ])("finds all rows with %j", async (q, total) => {
    const { items, ...page } = await createAlertsStore(database.db).list(ALL_SITES, { q, limit: 200 });
    expect(page).toMatchObject({ total });
    expect(page).not.toHaveProperty("total_is_estimate");
    expect(items).toHaveLength(Math.min(total, 200));
  });

  it("returns all pages and estimates the total for a word that every row contains", async () => {
    const store = createAlertsStore(database.db);
    const first = await store.list(ALL_SITES, { q: "every", sort: "created_at", limit: 200 });
    expect(first).toMatchObject({ total_is_estimate: true, items: { length: 200 } });
    expect(Math.abs(first.total - ALERTS)).toBeLessThan(ALERTS / 10);
    const second = await store.list(ALL_SITES, {
      q: "every",
      sort: "created_at",
      limit: 1,
      cursor: first.next_cursor ?? "",
    });
    expect(second.items[0]?.created_at).toEqual(new Date("2026-01-01T00:03:21.000Z"));
    const end = await store.list(ALL_SITES, { q: "every", sort: "created_at", skip: ALERTS - 1 });
    expect(end).toMatchObject({ items: { length: 1 }, next_cursor: null });
  });
});

describe("a page whose order begins with a filtered column", () => {
  it("continues after the cursor", async () => {
    const store = createAlertsStore(database.db);
    const query: WantedAlerts = { severity: ["high"], sort: "severity", limit: 2 };
    const first = await store.list(ALL_SITES, query);
    const { items } = await store.list(ALL_SITES, { ...query, cursor: first.next_cursor ?? "" });
    expect(items.map(({ created_at }) => created_at.toISOString())).toEqual([
      "2026-01-01T00:00:09.000Z",
      "2026-01-01T00:00:12.000Z",
    ]);
  });

  it("accepts a cursor with another value of the filtered column", async () => {
    const store = createAlertsStore(database.db);
    const low = await store.list(ALL_SITES, { severity: ["low"], sort: "severity", limit: 5 });
    const cursor = low.next_cursor ?? "";
    const after = await store.list(ALL_SITES, { severity: ["high"], sort: "severity", limit: 1, cursor });
    expect(after.items[0]?.created_at).toEqual(new Date("2026-01-01T00:00:03.000Z"));
    const before = await store.list(ALL_SITES, { severity: ["info"], sort: "severity", limit: 1, cursor });
    expect(before.items).toEqual([]);
  });
});

describe("word search by a caller restricted to sites", () => {
  const asAlpha = (q: string) =>
    database.limitTo(["Alpha"], () => createAlertsStore(database.db).list(["Alpha"], { q, limit: 10 }));

  it("plans with the words of the caller's own sites", async () => {
    const own = sql`SELECT words FROM alerts`;
    const plan = (words: string[]) =>
      database.limitTo(["Alpha"], () => planSearch(database.db, TITLES, { words, needed: 50, own }));
    expect(await plan(["everywhere", "often"])).toEqual({ indexed: ["often"], checked: ["everywhere"], share: 0 });
    expect(await plan(["everywhere"])).toEqual({ indexed: [], checked: ["everywhere"], share: 1 });
  });

  it("does not reveal that a word is frequent at other sites", async () => {
    const { items, ...page } = await asAlpha("often");
    expect(items).toEqual([]);
    expect(page).toEqual({ total: 0, skip: 0, limit: 10, next_cursor: null });
  });

  it("estimates the total of a frequent word from the caller's own alerts", async () => {
    const { items, total, total_is_estimate } = await asAlpha("everywhere");
    expect(items).toHaveLength(10);
    expect(total_is_estimate).toBe(true);
    expect(Math.abs(total - ALERTS / 2)).toBeLessThan(ALERTS / 20);
  });
});
