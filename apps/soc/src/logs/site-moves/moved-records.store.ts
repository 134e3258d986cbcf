import { Problem } from "@kit/problem";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";

/** One record with all that belongs to it, as a text of JSON that is the same in both cells. */
export interface MovedRecord {
  id: string;
  text: string;
}

export interface PageAsked {
  /** The id and the name of the site: a record names one of them. */
  texts: readonly string[];
  after: string | undefined;
  limit: number;
}

/** The last entry of a case in the ledger of its cell. */
export interface LastEntry {
  case_id: string;
  sequence: number;
  entry_hash: string;
}

/** Reads and writes the records of a site that is being moved, whatever tables they have. */
export interface MovedRecordsStore {
  /** For this transaction: the times in a text of JSON are those of the session's zone, which may be another one elsewhere. */
  setUtc(): Promise<void>;
  listCases(asked: PageAsked): Promise<MovedRecord[]>;
  listAlerts(asked: PageAsked): Promise<MovedRecord[]>;
  listLastEntries(caseIds: readonly string[]): Promise<LastEntry[]>;
  /** Replaces the case and all that belongs to it. Returns its id. */
  putCase(text: string): Promise<string>;
  putAlerts(texts: readonly string[]): Promise<void>;
}

/** What belongs to a case, in the order in which it is stored; within a table, by its id. Columns that the database makes itself do not move. */
const ITEMS = [
  { name: "timeline", table: "case_timeline", made: "id" },
  { name: "observables", table: "case_observables", made: "search" },
  { name: "evidence", table: "case_evidence", made: "" },
  { name: "comments", table: "case_comments", made: "search" },
  { name: "tasks", table: "case_tasks", made: "" },
  { name: "versions", table: "case_item_versions", made: "id" },
] as const;

const NONE = "00000000-0000-0000-0000-000000000000";
const UNIQUE_VIOLATION = "23505";

export function createMovedRecordsStore(db: Db): MovedRecordsStore {
  return {
    async setUtc() {
      await sql`SELECT set_config('TimeZone', 'UTC', true)`.execute(db);
    },

    async listCases({ texts, after = NONE, limit }) {
      const { rows } = await sql<MovedRecord>`
        SELECT cases.id, jsonb_build_object(
          'case', to_jsonb(cases) - 'search', ${sql.join(ITEMS.map(selectItems))}, 'custody', (
            SELECT coalesce(jsonb_agg(to_jsonb(held) - 'id' ORDER BY held.id), '[]') FROM case_custody AS held
            JOIN case_evidence ON case_evidence.id = held.evidence_id WHERE case_evidence.case_id = cases.id
          ))::text AS text
        FROM cases WHERE ${isMoved(texts)} AND id > ${after} ORDER BY id LIMIT ${limit}`.execute(db);
      return rows;
    },

    /** An alert whose case stays, because it has content of other sites, moves without its case. */
    async listAlerts({ texts, after = NONE, limit }) {
      const { rows } = await sql<MovedRecord>`
        SELECT alerts.id, (to_jsonb(alerts) - 'words' || jsonb_build_object('case_id', (
          SELECT cases.id FROM cases WHERE cases.id = alerts.case_id AND ${isMoved(texts)})))::text AS text
        FROM alerts WHERE site = ANY(${[...texts]}::text[]) AND id > ${after} ORDER BY id LIMIT ${limit}`.execute(db);
      return rows;
    },

    async listLastEntries(caseIds) {
      const { rows } = await sql<LastEntry>`
        SELECT DISTINCT ON (case_id) case_id, sequence, entry_hash FROM ledger_entries
        WHERE case_id = ANY(${[...caseIds]}::uuid[]) ORDER BY case_id, sequence DESC`.execute(db);
      return rows;
    },

    async putCase(text) {
      const { rows } = await sql<{ id: string }>`SELECT ${text}::jsonb -> 'case' ->> 'id' AS id`.execute(db);
      const id = rows[0]?.id;
      if (!id) throw new Problem("invalid", "items: must be cases of another cell");
      await sql`DELETE FROM cases WHERE id = ${id}`.execute(db);
      await insert(db, "cases", sql`jsonb_build_array(${text}::jsonb -> 'case')`);
      for (const { name, table } of [...ITEMS, { name: "custody", table: "case_custody" }]) {
        await insert(db, table, sql`${text}::jsonb -> ${sql.lit(name)}`);
      }
      return id;
    },

    async putAlerts(texts) {
      try {
        await insert(db, "alerts", sql`${`[${texts.join(",")}]`}::jsonb`, "id");
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION)) throw error;
        throw new Problem("conflict", "items: this cell has an alert with the fingerprint of one that moves", {
          cause: error,
        });
      }
    },
  };
}

/** Only content of this site. */
function isMoved(texts: readonly string[]): RawBuilder<unknown> {
  return sql`(cases.sites <@ ${[...texts]}::text[] AND cases.sites <> '{}')`;
}

function selectItems({ name, table, made }: (typeof ITEMS)[number]): RawBuilder<unknown> {
  return sql`${sql.lit(name)}, (SELECT coalesce(jsonb_agg(to_jsonb(held) - ${sql.lit(made)} ORDER BY held.id), '[]')
    FROM ${sql.table(table)} AS held WHERE held.case_id = cases.id)`;
}

/** Stores records with all columns that the database does not make itself; in their order, for those that it numbers. */
async function insert(tx: Db, table: string, records: RawBuilder<unknown>, key?: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute WHERE attrelid = ${table}::regclass
      AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = '' ORDER BY attnum`.execute(tx);
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
  const changed = sql.join(rows.map(({ name }) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`));
  const conflict = key === undefined ? sql`` : sql`ON CONFLICT (${sql.ref(key)}) DO UPDATE SET ${changed}`;
  await sql`
    INSERT INTO ${sql.table(table)} (${columns})
    SELECT ${sql.join(rows.map(({ name }) => sql.ref(`record.${name}`)))}
    FROM jsonb_array_elements(${records}) WITH ORDINALITY AS given (value, place),
      jsonb_populate_record(NULL::${sql.table(table)}, given.value) AS record
    ORDER BY given.place ${conflict}`.execute(tx);
}
