import { type Generated, sql } from "kysely";
import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import { areInScope } from "../../foundation/caller/in-scope.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { countTotal, guessTotal, readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { toPageQuery } from "../../foundation/lists/multi-value-params.ts";
import { DEFAULT_LIMIT, isUuid, type Page } from "../../foundation/lists/page.ts";
import { judgeSla, NO_SLA, type SlaTimes } from "../case-sla/sla.ts";
import { ADOPTED, CASE_COLUMNS, CASE_FILTERS, type Case, NO_ASSIGNEE, type TimelineEntry, toOrder } from "./case.ts";
import type { ListCasesQuery } from "./cases.schema.ts";
import { entryBefore, timelinePage } from "./timeline.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    cases: CaseRow;
    case_timeline: TimelineEntry & { id: Generated<string>; case_id: string };
  }
}

/** The SLA times are columns; their state is computed on reading. */
type CaseRow = Omit<Case, "sla"> & SlaTimes & { has_own_sla: Generated<boolean>; sites: Generated<string[]> };
type ReadRow = Omit<Case, "sla"> & SlaTimes & { read_at: Date };

const SLA_COLUMNS = ["respond_by", "resolve_by", "responded_at", "resolved_at"] as const;

export interface CasesStore {
  list(scope: Scope, query: ListCasesQuery): Promise<Page<Case>>;
  find(scope: Scope, case_id: string): Promise<Case | undefined>;
  /** Returns the sites of the content of the case, '' for content without a site; empty if the case does not exist. */
  sites(case_id: string): Promise<string[]>;
  /** Returns the cases that are in the scope. */
  filter(scope: Scope, case_ids: readonly string[]): Promise<string[]>;
  /** Returns the case, locked against deletion until the transaction ends. */
  keep(scope: Scope, case_id: string): Promise<Case | undefined>;
  /** Returns the case, locked against changes until the transaction ends. */
  lock(scope: Scope, case_id: string): Promise<Case | undefined>;
  /**
   * Stores the case with the sites of its content; '' for content without a site. With its own SLA targets, a new
   * severity does not change them. The database adds the site of an alert that is linked later.
   */
  insert(opened: Case, sites: readonly string[], hasOwnSla?: boolean): Promise<void>;
  /** Adds the site of content in the case; '' for content without a site. */
  addSite(case_id: string, site: string): Promise<void>;
  hasOwnSla(case_id: string): Promise<boolean>;
  /** Whether an agent opened it and no person has adopted it. */
  isOfAgent(case_id: string): Promise<boolean>;
  update(changed: Case): Promise<void>;
  /** Deletes the case and all its items. */
  remove(case_id: string): Promise<void>;
  /** Lists open cases of all sites with an assignee that are due in the period, most urgent first. */
  listDue(from: Date, to: Date, limit: number): Promise<Case[]>;
  /** Returns the cases that were merged into this one. */
  mergedFrom(scope: Scope, case_id: string): Promise<string[]>;
  /** The history of a case, newest first. */
  timeline(case_id: string, query: PageQuery): Promise<Page<TimelineEntry>>;
  addToTimeline(case_id: string, entry: TimelineEntry): Promise<void>;
}

export function createCasesStore(db: Db): CasesStore {
  const byId = (scope: Scope, case_id: string) =>
    selectCases(db, scope).where("id", "=", isUuid(case_id) ? case_id : NO_ID);
  return {
    async list(scope, query) {
      const singles = toPageQuery(query, query, CASE_FILTERS);
      const { q } = query;
      const listed = selectListed(db, scope, query);
      const found = q === undefined ? listed : listed.where((await areFew(db, q)) ? isAmongFound(q) : isFound(q));
      // The planner misestimates the words of a search, so hint only lists without a search.
      const hints = q === undefined ? { table: "cases" } : {};
      const page = await readPage<ReadRow>(db, found, toOrder(query.sort), singles, hints);
      return { ...page, items: page.items.map(toCase) };
    },

    find: async (scope, case_id) => (await byId(scope, case_id).execute()).map(toCase)[0],
    keep: async (scope, case_id) => (await byId(scope, case_id).forKeyShare().execute()).map(toCase)[0],
    lock: async (scope, case_id) => (await byId(scope, case_id).forUpdate().execute()).map(toCase)[0],

    async filter(scope, case_ids) {
      const ids = case_ids.filter(isUuid);
      if (ids.length === 0) return [];
      const found = db.selectFrom("cases").select("id").where(areInScope(scope)).where("id", "in", ids);
      return (await found.execute()).map(({ id }) => id);
    },

    async sites(case_id) {
      if (!isUuid(case_id)) return [];
      const row = await db.selectFrom("cases").select("sites").where("id", "=", case_id).executeTakeFirst();
      return row?.sites ?? [];
    },

    async hasOwnSla(case_id) {
      const row = await db.selectFrom("cases").select("has_own_sla").where("id", "=", case_id).executeTakeFirst();
      return row?.has_own_sla ?? false;
    },

    async isOfAgent(case_id) {
      const { rows } = await sql<{ isOfAgent: boolean | null }>`
        SELECT (SELECT agent FROM case_timeline WHERE case_id = ${case_id} ORDER BY id LIMIT 1) LIKE 'agent:%'
          AND NOT EXISTS (SELECT FROM case_timeline WHERE case_id = ${case_id} AND action = ${ADOPTED}) AS "isOfAgent"`.execute(
        db,
      );
      return rows[0]?.isOfAgent ?? false;
    },

    async insert({ sla, ...opened }, sites, has_own_sla = false) {
      await db
        .insertInto("cases")
        .values({ ...opened, ...toTimes(sla), has_own_sla, sites: [...sites] })
        .execute();
    },

    async addSite(case_id, site) {
      await sql`
        UPDATE cases SET sites = sites || ${site}::text WHERE id = ${case_id} AND NOT sites @> ARRAY[${site}::text]`.execute(
        db,
      );
    },

    async update({ id, sla, ...fields }) {
      await db
        .updateTable("cases")
        .set({ ...fields, ...toTimes(sla) })
        .where("id", "=", id)
        .execute();
    },

    async remove(case_id) {
      await db.deleteFrom("cases").where("id", "=", case_id).execute();
    },

    listDue: async (from, to, limit) => {
      const rows = await selectCases(db, ALL_SITES)
        .where("due_at", ">=", from)
        .where("due_at", "<", to)
        .where("status", "not in", ["resolved", "closed"])
        .where("assignee", "is not", null)
        .orderBy("due_at")
        .limit(limit)
        .execute();
      return rows.map(toCase);
    },

    async mergedFrom(scope, case_id) {
      const merged = db.selectFrom("cases").select("id").where(areInScope(scope)).where("merged_into", "=", case_id);
      return (await merged.orderBy("id").limit(MAX_MERGED).execute()).map(({ id }) => id);
    },

    async timeline(case_id, query) {
      const { skip = 0, limit = DEFAULT_LIMIT, cursor } = query;
      const entries = db.selectFrom("case_timeline").where("case_id", "=", case_id);
      const rows = await entries
        .select(["id", "agent", "action", "timestamp"])
        .$if(cursor !== undefined, (page) => page.where("id", "<", String(entryBefore(cursor ?? ""))))
        .orderBy("id", "desc")
        .offset(skip)
        .limit(limit + 1)
        .execute();
      return timelinePage(query, rows, await countTotal(db, entries.select("id")));
    },

    async addToTimeline(case_id, entry) {
      await db
        .insertInto("case_timeline")
        .values({ case_id, ...entry })
        .execute();
    },
  };
}

const MAX_MERGED = 200;
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Uses the time of the database, which all hosts share. */
function selectCases(db: Db, scope: Scope) {
  return db
    .selectFrom("cases")
    .where(areInScope(scope))
    .select([...CASE_COLUMNS, ...SLA_COLUMNS])
    .select(sql<Date>`now()`.as("read_at"));
}

function toCase({ respond_by, resolve_by, responded_at, resolved_at, read_at, ...found }: ReadRow): Case {
  const times = { respond_by, resolve_by, responded_at, resolved_at };
  return { ...found, sla: judgeSla(times, found.created_at, read_at) };
}

function toTimes(sla: Case["sla"]): SlaTimes {
  const { respond_by, resolve_by, responded_at, resolved_at } = sla ?? NO_SLA;
  return { respond_by, resolve_by, responded_at, resolved_at };
}

/** Applies all filters except the words of a search. */
function selectListed(db: Db, scope: Scope, { tag, ...query }: ListCasesQuery) {
  let listed = selectCases(db, scope);
  for (const name of CASE_FILTERS) {
    const values = query[name];
    if (values === undefined) continue;
    const isNone = name === "assignee" && query.assignee?.includes(NO_ASSIGNEE);
    listed = listed.where((either) =>
      either.or([either(name, "in", values), ...(isNone ? [either(name, "is", null)] : [])]),
    );
  }
  return tag === undefined ? listed : listed.where(sql<boolean>`tags && ${tag}::text[]`);
}

/** Below this estimate, cases are found with the word index; above it, they are checked in list order. */
const MANY_FOUND = 5000;

async function areFew(db: Db, q: string): Promise<boolean> {
  const rows = sql`SELECT FROM cases WHERE ${hasWords(q)}`;
  return (await guessTotal(db, { rows, share: 1 }, 0)).total < MANY_FOUND;
}

function hasWords(q: string) {
  return sql<boolean>`search @@ websearch_to_tsquery('simple', ${q})`;
}

/** Is true if all words occur in the title and description, in one observable, or in one comment. */
function isFound(q: string) {
  return sql<boolean>`(${hasWords(q)} OR id IN (SELECT case_id FROM case_words WHERE ${hasWords(q)}))`;
}

/** Is the same condition using only the word indexes. */
function isAmongFound(q: string) {
  return sql<boolean>`id IN (SELECT id FROM cases WHERE ${hasWords(q)}
    UNION ALL SELECT case_id FROM case_words WHERE ${hasWords(q)})`;
}
