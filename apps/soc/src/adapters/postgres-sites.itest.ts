import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshDatabase } from "../../testing/servers/fresh-database.ts";
import type { Database } from "../foundation/database/tables.ts";
import { createDatabase } from "./postgres.ts";

const VIEWS = ["alerts", "cases"] as const;
const SECRET = "canaryofbeta";
const ALERT_COLUMNS = `id, fingerprint, title, source, severity, status, iocs, occurrence_count, first_seen, last_seen,
  reopened_count, log_ids, mitre_techniques, tags, created_at, updated_at, site, filter_keys`;

let database: Database;
let owner: pg.Client;

/** The values of an alert; its fingerprint follows from its title. */
const alertValues = (title: string, site: string) =>
  `gen_random_uuid(), encode(sha256('${title}'), 'hex'), '${title}', 'ids', 'low', 'new', '{}', 1, now(), now(),
   0, '{}', '{}', '{}', now(), now(), '${site}', '{host:srv-1}'`;
const insertAlert = (title: string, site: string) =>
  `INSERT INTO alerts (${ALERT_COLUMNS}) VALUES (${alertValues(title, site)})`;
const CASE_COLUMNS = "id, title, description, severity, status, requires_human_approval, created_at, updated_at, sites";
const caseId = (digit: number) => `0197f000-0000-7000-8000-00000000000${digit}`;
const insertCase = (id: string, title: string, sites: string) =>
  `INSERT INTO cases (${CASE_COLUMNS}) VALUES ('${id}', '${title}', '', 'low', 'open', false, now(), now(), '{${sites}}')`;
const insertComment = (case_id: string, body: string) =>
  `INSERT INTO case_comments (id, case_id, author, body, created_at) VALUES (gen_random_uuid(), '${case_id}', 'ana', '${body}', now())`;

beforeAll(async () => {
  const { url } = await freshDatabase();
  owner = new pg.Client(url);
  await owner.connect();
  database = createDatabase({
    url,
    migrationsFolder: join(import.meta.dirname, "../migrations"),
    clock: createClock(),
    log: silentLog,
    onFirstAnswer: async () => undefined,
  });
  expect(await database.isAvailable()).toBe(true);
  for (const statement of [
    insertAlert("own", "Alpha"),
    insertAlert(SECRET, "Beta"),
    insertCase(caseId(1), "own", "Alpha"),
    insertCase(caseId(2), SECRET, "Beta"),
    insertCase(caseId(3), SECRET, "Alpha,Beta"),
    insertCase(caseId(4), SECRET, ""),
    insertComment(caseId(1), "own"),
    insertComment(caseId(2), SECRET),
    insertComment(caseId(3), SECRET),
  ])
    await owner.query(statement);
});

afterAll(async () => {
  await database.close();
  await owner.end();
});

/** Runs a statement as a session of the site Alpha; returns its rows, or the complete text of its error. */
function askAsAlpha(statement: RawBuilder<unknown>): Promise<string> {
  return database.limitTo(["a-id", "Alpha"], async () => {
    const asked = statement.execute(database.db).then(
      ({ rows }) => rows,
      (error: unknown) => {
        if (!(error instanceof pg.DatabaseError)) throw error;
        const { code, message, detail } = error;
        return { code, message, detail };
      },
    );
    return JSON.stringify(await asked);
  });
}

async function readAll(): Promise<string> {
  const { rows } = await owner.query(
    "SELECT to_jsonb(alerts)::text AS row FROM alerts UNION ALL SELECT to_jsonb(cases)::text FROM cases ORDER BY 1",
  );
  return JSON.stringify(rows);
}

it.each(VIEWS)("shows a session restricted to sites every column of %s", async (name) => {
  const { rows } = await owner.query(
    `SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
     EXCEPT SELECT attname FROM pg_attribute WHERE attrelid = $2::regclass`,
    [`public.${name}`, `soc_site.${name}`],
  );
  // A migration that adds a column ends with CREATE OR REPLACE VIEW, as 0091 creates it.
  expect(rows).toEqual([]);
});

it.each(VIEWS)("repeats the condition of the policy in the view of %s", async (name) => {
  const { rows } = await owner.query<{ condition: string; policy: string; options: string[] }>(
    `SELECT pg_get_viewdef($1::regclass) AS condition, (SELECT reloptions FROM pg_class WHERE oid = $1::regclass) AS options,
       (SELECT qual FROM pg_policies WHERE tablename = $2 AND policyname = 'some_sites') AS policy`,
    [`soc_site.${name}`, name],
  );
  const [{ condition = "", policy = "", options = [] } = {}] = rows;
  expect(condition.split("WHERE ")[1]?.replaceAll(`${name}.`, "")).toBe(`${policy};`);
  expect(options).toEqual(["check_option=cascaded"]);
});

it("lets a session restricted to sites create nothing and own nothing", async () => {
  const { rows } = await owner.query(
    `SELECT nspname FROM pg_namespace WHERE has_schema_privilege('soc_site', oid, 'CREATE')
     UNION ALL SELECT relname FROM pg_class WHERE relowner = 'soc_site'::regrole
     UNION ALL SELECT rolname FROM pg_roles WHERE rolname = 'soc_site' AND (rolsuper OR rolbypassrls OR rolcanlogin)`,
  );
  expect(rows).toEqual([]);
});

it("finds the alerts of a host by the index for a restricted session as well", async () => {
  const plan = await database.limitTo(["a-id", "Alpha"], () =>
    database.db.transaction().execute(async (tx) => {
      await sql`SET LOCAL enable_seqscan = off`.execute(tx);
      await sql`SET LOCAL enable_indexscan = off`.execute(tx);
      return sql`EXPLAIN SELECT FROM alerts WHERE filter_keys && '{host:srv-1}'::text[]`.execute(tx);
    }),
  );
  expect(JSON.stringify(plan.rows)).toContain("alerts_filter_keys_idx");
});

it("finds words of the own cases only, by the index and without evaluating the policy for each comment", async () => {
  expect(await askAsAlpha(sql`SELECT case_id, search::text FROM case_words`)).toBe(
    `[{"case_id":"${caseId(1)}","search":"'own':1"}]`,
  );
  const plan = await database.limitTo(["a-id", "Alpha"], () =>
    database.db.transaction().execute(async (tx) => {
      await sql`SET LOCAL enable_seqscan = off`.execute(tx);
      return sql`EXPLAIN SELECT FROM case_words WHERE search @@ to_tsquery('simple', 'own')`.execute(tx);
    }),
  );
  expect(JSON.stringify(plan.rows)).toContain("case_comments_search_idx");
});

it("estimates the cases of a restricted session by their actual number", async () => {
  await owner.query(`INSERT INTO cases (${CASE_COLUMNS})
    SELECT gen_random_uuid(), 'many', '', 'low', 'open', false, now(), now(), '{Alpha}' FROM generate_series(1, 1000)`);
  await owner.query("ANALYZE cases");
  const plan = await askAsAlpha(sql`EXPLAIN (FORMAT JSON)
    SELECT FROM cases WHERE sites <@ '{a-id,Alpha}'::text[] AND sites <> '{}'`);
  await owner.query("DELETE FROM cases WHERE title = 'many'");
  expect(Number(/"Plan Rows":(\d+)/.exec(plan)?.[1])).toBeGreaterThan(500);
});

it("reads and changes the records of the own site by the names of the tables", async () => {
  expect(await askAsAlpha(sql`SELECT title FROM alerts`)).toBe('[{"title":"own"}]');
  expect(await askAsAlpha(sql`SELECT title FROM cases`)).toBe('[{"title":"own"}]');
  expect(await askAsAlpha(sql.raw(`${insertAlert("new", "Alpha")} RETURNING title`))).toBe('[{"title":"new"}]');
  expect(await askAsAlpha(sql`UPDATE alerts SET title = 'newer' WHERE title = 'new' RETURNING title`)).toBe(
    '[{"title":"newer"}]',
  );
  expect(await askAsAlpha(sql.raw(`${insertCase(caseId(5), "new", "Alpha")} RETURNING title`))).toBe(
    '[{"title":"new"}]',
  );
  expect(await askAsAlpha(sql`DELETE FROM cases WHERE title = 'new' RETURNING title`)).toBe('[{"title":"new"}]');
  await owner.query("DELETE FROM alerts WHERE title = 'newer'");
});

const STEAL_ALERT = "ON CONFLICT (fingerprint) DO UPDATE SET site = 'Alpha' RETURNING *";
const STEAL_CASE = "ON CONFLICT (id) DO UPDATE SET sites = '{Alpha}' RETURNING *";

it.each([
  "SELECT * FROM alerts WHERE true OR site = 'Beta'",
  "SELECT * FROM cases WHERE true OR sites @> '{Beta}'",
  "SELECT * FROM public.alerts",
  "SELECT * FROM public.cases",
  "SELECT * FROM case_words WHERE true OR case_id IS NOT NULL",
  "SELECT * FROM public.case_words",
  `SELECT * FROM alerts WHERE title = '${SECRET}' FOR UPDATE`,
  "SELECT * FROM alerts FULL JOIN public.alerts AS others USING (id)",
  "SELECT * FROM alerts, LATERAL (SELECT * FROM cases) AS every_case",
  "WITH gone AS (DELETE FROM cases WHERE title <> 'own' RETURNING *) SELECT * FROM gone",
  "DELETE FROM public.cases WHERE title <> 'own' RETURNING *",
  "DELETE FROM alerts RETURNING *",
  "TRUNCATE alerts",
  "UPDATE alerts SET description = 'changed' WHERE title <> 'own' RETURNING *",
  "UPDATE cases SET title = 'changed' WHERE title <> 'own' RETURNING *",
  "UPDATE alerts SET site = 'Beta' WHERE title = 'own' RETURNING *",
  "UPDATE cases SET sites = '{Alpha,Beta}' WHERE title = 'own' RETURNING *",
  "UPDATE cases SET sites = '{}' WHERE title = 'own' RETURNING *",
  "UPDATE alerts SET site = NULL WHERE title = 'own' RETURNING *",
  `${insertAlert("foreign", "Beta")} RETURNING *`,
  `${insertCase(caseId(6), "foreign", "Alpha,Beta")} RETURNING *`,
  `${insertAlert(SECRET, "Alpha")} ON CONFLICT (fingerprint) DO NOTHING RETURNING *`,
  `${insertAlert(SECRET, "Alpha")} ON CONFLICT (fingerprint) DO UPDATE SET description = alerts.title RETURNING *`,
  `${insertAlert(SECRET, "Alpha")} ${STEAL_ALERT}`,
  `${insertAlert(SECRET, "Alpha").replace("INTO alerts", "INTO public.alerts")} ${STEAL_ALERT}`,
  `${insertCase(caseId(2), "mine", "Alpha")} ${STEAL_CASE}`,
  `${insertCase(caseId(3), "mine", "Alpha")} ${STEAL_CASE}`,
  `${insertCase(caseId(4), "mine", "Alpha")} ${STEAL_CASE}`,
  "ALTER VIEW soc_site.alerts SET (security_invoker = false)",
  "CREATE OR REPLACE VIEW soc_site.alerts AS SELECT * FROM public.alerts",
  "CREATE FUNCTION show(text) RETURNS boolean LANGUAGE sql RETURN true",
  "COPY alerts TO STDOUT",
  "ANALYZE alerts",
  "SELECT * FROM pg_stats WHERE tablename IN ('alerts', 'cases')",
])("shows and changes nothing of another site: %s", async (statement) => {
  const before = await readAll();
  const answer = await askAsAlpha(sql.raw(statement));
  expect(answer.replaceAll(`(${SECRET})`, "")).not.toContain(SECRET);
  expect(answer).not.toContain("Beta");
  expect(await readAll()).toBe(before);
});
