import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import { EQUAL_FILTERS, NEWEST_FIRST, type Report, type ReportSummary } from "./report.ts";
import type { ListReportsQuery } from "./reports.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    reports: Report;
  }
}

export interface ReportsStore {
  list(query: ListReportsQuery): Promise<Page<ReportSummary>>;
  find(id: string): Promise<Report | undefined>;
}

/** Excludes the content: a page of a list would have megabytes. */
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

/** The writes of a transaction, and the reads that they need. */
export interface ReportsWriter {
  insert(report: Report): Promise<void>;
  /** Returns the deleted report; undefined when it does not exist. */
  delete(id: string): Promise<ReportSummary | undefined>;
}

export function createReportsWriter(tx: Db): ReportsWriter {
  return {
    async insert(report) {
      await tx.insertInto("reports").values(report).execute();
    },

    async delete(id) {
      if (!isUuid(id)) return undefined;
      return tx.deleteFrom("reports").where("id", "=", id).returning(COLUMNS).executeTakeFirst();
    },
  };
}
