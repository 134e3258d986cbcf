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

export async function insertReport(tx: Db, report: Report): Promise<void> {
  await tx.insertInto("reports").values(report).execute();
}

/** Returns the deleted report; undefined when it does not exist. */
export async function deleteReport(tx: Db, id: string): Promise<ReportSummary | undefined> {
  if (!isUuid(id)) return undefined;
  return tx.deleteFrom("reports").where("id", "=", id).returning(COLUMNS).executeTakeFirst();
}
