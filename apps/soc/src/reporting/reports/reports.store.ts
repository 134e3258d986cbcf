import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { EQUAL_FILTERS, isListed, NEWEST_FIRST, type Report, type ReportSummary } from "./report.ts";
import type { ListReportsQuery } from "./reports.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    /** The key of the step that created it; null for a report of a user. */
    reports: Report & { key: string | null };
  }
}

export interface ReportsStore {
  list(query: ListReportsQuery): Promise<Page<ReportSummary>>;
  find(id: string): Promise<Report | undefined>;
}

/** Excludes the content, because a page of a list would have megabytes. */
const COLUMNS = [
  "id",
  "title",
  "report_type",
  "case_id",
  "format",
  "status",
  "created_by",
  "created_at",
] as const satisfies readonly (keyof ReportSummary)[];

export function createReportsStore(db: Db): ReportsStore {
  return {
    list(query) {
      let listed = db.selectFrom("reports").select(COLUMNS);
      for (const name of EQUAL_FILTERS) {
        const value = query[name];
        if (value !== undefined) listed = listed.where(name, "=", value);
      }
      return readPage(db, listed, NEWEST_FIRST, query);
    },

    find: (id) => findReport(db, id),
  };
}

async function findReport(db: Db, id: string): Promise<Report | undefined> {
  if (!isUuid(id)) return undefined;
  return db
    .selectFrom("reports")
    .select([...COLUMNS, "content"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** The writes of a transaction and the reads that they need. */
export interface ReportsWriter {
  /** Returns false if a report with the same key exists. */
  insert(report: Report, key: string | null): Promise<boolean>;
  findByKey(key: string): Promise<ReportSummary | undefined>;
  /** Returns the deleted report; undefined if it does not exist. */
  delete(id: string): Promise<ReportSummary | undefined>;
}

export function createReportsWriter(tx: Db): ReportsWriter {
  return {
    async insert(report, key) {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto("reports")
        .values({ ...report, key })
        .onConflict((known) => known.column("key").doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    findByKey: (key) => tx.selectFrom("reports").select(COLUMNS).where("key", "=", key).executeTakeFirst(),

    async delete(id) {
      if (!isUuid(id)) return undefined;
      return tx.deleteFrom("reports").where("id", "=", id).returning(COLUMNS).executeTakeFirst();
    },
  };
}

/** Serves the showcase reports. The content is rendered from the story when a client reads it. */
export function createShowcaseReportsStore(
  reports: readonly ReportSummary[],
  buildContent: (report: ReportSummary) => Promise<string>,
): ReportsStore {
  return {
    list: async (query) => pageInMemory(reports, NEWEST_FIRST, query, (report) => isListed(report, query)),

    async find(id) {
      const report = reports.find((each) => each.id === id);
      return report && { ...report, content: await buildContent(report) };
    },
  };
}
