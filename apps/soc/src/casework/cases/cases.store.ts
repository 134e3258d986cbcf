import type { Generated } from "kysely";
import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { DEFAULT_LIMIT, type Page } from "../../foundation/lists/page.ts";
import { toSingles } from "../../foundation/lists/several.ts";
import { countTotal } from "../../foundation/lists/total.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import { CASE_COLUMNS, CASE_FILTERS, type Case, type TimelineEntry, toOrder } from "./case.ts";
import type { ListCasesQuery } from "./cases.schema.ts";
import { entryBefore, timelinePage } from "./timeline.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    cases: Case;
    case_timeline: TimelineEntry & { id: Generated<string>; case_id: string };
  }
}

export interface CasesStore {
  list(query: ListCasesQuery): Promise<Page<Case>>;
  find(case_id: string): Promise<Case | undefined>;
  /** The case, locked against deletion until the transaction ends. */
  keep(case_id: string): Promise<Case | undefined>;
  /** The case, locked against changes until the transaction ends. */
  lock(case_id: string): Promise<Case | undefined>;
  insert(opened: Case): Promise<void>;
  update(changed: Case): Promise<void>;
  /** Deletes the case and all its items. */
  remove(case_id: string): Promise<void>;
  /** Open cases with an assignee that are due in that time, the most urgent first. */
  listDue(from: Date, to: Date, limit: number): Promise<Case[]>;
  /** The history of a case, newest first. */
  timeline(case_id: string, query: PageQuery): Promise<Page<TimelineEntry>>;
  addToTimeline(case_id: string, entry: TimelineEntry): Promise<void>;
}

export function createCasesStore(db: Db): CasesStore {
  const byId = (case_id: string) => db.selectFrom("cases").select(CASE_COLUMNS).where("id", "=", case_id);
  return {
    list: (query) => readPage(db, selectListed(db, query), toOrder(query.sort), toSingles(query, query, CASE_FILTERS)),

    find: async (case_id) => (isUuid(case_id) ? byId(case_id).executeTakeFirst() : undefined),
    keep: async (case_id) => (isUuid(case_id) ? byId(case_id).forKeyShare().executeTakeFirst() : undefined),
    lock: async (case_id) => (isUuid(case_id) ? byId(case_id).forUpdate().executeTakeFirst() : undefined),

    async insert(opened) {
      await db.insertInto("cases").values(opened).execute();
    },

    async update({ id, ...fields }) {
      await db.updateTable("cases").set(fields).where("id", "=", id).execute();
    },

    async remove(case_id) {
      await db.deleteFrom("cases").where("id", "=", case_id).execute();
    },

    listDue: (from, to, limit) =>
      db
        .selectFrom("cases")
        .select(CASE_COLUMNS)
        .where("due_at", ">=", from)
        .where("due_at", "<", to)
        .where("status", "not in", ["resolved", "closed"])
        .where("assignee", "is not", null)
        .orderBy("due_at")
        .limit(limit)
        .execute(),

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

function selectListed(db: Db, { q, ...query }: ListCasesQuery) {
  let listed = db.selectFrom("cases").select(CASE_COLUMNS);
  for (const name of CASE_FILTERS) {
    const values = query[name];
    if (values !== undefined) listed = listed.where(name, "in", values);
  }
  return q === undefined ? listed : listed.where(isFound(q));
}

/** All words in the title and description of the case, in one of its observables, or in one of its comments. */
function isFound(q: string) {
  const words = sql`websearch_to_tsquery('simple', ${q})`;
  return sql<boolean>`(search @@ ${words}
    OR id IN (SELECT case_id FROM case_observables WHERE search @@ ${words})
    OR id IN (SELECT case_id FROM case_comments WHERE search @@ ${words}))`;
}
