import type { Ids } from "@kit/clock/ids";
import { notFound } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { CONTENT_TYPES, type Report, type ReportSummary } from "./report.ts";
import type { MadeReport, ReportMaker } from "./report-maker.ts";
import type { CreateReportRequest, ListReportsQuery } from "./reports.schema.ts";
import { createReportsWriter, type ReportsStore } from "./reports.store.ts";

export interface ReportsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: ReportsStore; showcase: ReportsStore };
  maker: ReportMaker;
  audit: Recorder;
  ids: Pick<Ids, "next">;
}
export type ReportsService = ReturnType<typeof createReportsService>;

/** A report in a response. */
export type TypedReport = Report & { content_type: string };

/** A rendered report that is not stored yet. */
export interface Draft {
  request: CreateReportRequest;
  made: MadeReport;
}

export function createReportsService({ runtime, stores, maker, audit, ids }: ReportsServiceDeps) {
  async function get(id: string): Promise<Report> {
    const report = await (await runtime.choose(stores)).find(id);
    if (!report) throw notFound("report", id);
    return report;
  }

  return {
    async list(query: ListReportsQuery): Promise<Page<ReportSummary>> {
      return (await runtime.choose(stores)).list(query);
    },

    get: async (id: string): Promise<TypedReport> => typed(await get(id)),

    /** Reads and renders outside a transaction, so that slow work holds no connection. */
    async draft(made_by: string, request: CreateReportRequest): Promise<Draft> {
      return { request, made: await maker.make(made_by, request) };
    },

    async keep(tx: Tx, created_by: string, { request, made }: Draft): Promise<TypedReport> {
      const { title, case_id, format, content, made_at } = made;
      const { report_type } = request;
      const report: Report = {
        id: ids.next(),
        title,
        report_type,
        case_id,
        format,
        status: "completed",
        content,
        created_by,
        created_at: made_at,
      };
      await createReportsWriter(tx).insert(report);
      await audit.record(tx, {
        actor: created_by,
        action: "report.created",
        subject_type: "report",
        subject_id: report.id,
        details: { title, report_type, case_id, format },
      });
      return typed(report);
    },

    async delete(tx: Tx, caller: Caller, id: string) {
      const deleted = await createReportsWriter(tx).delete(id);
      if (!deleted) throw notFound("report", id);
      const { title, report_type, case_id, format } = deleted;
      await audit.record(tx, {
        actor: caller.username,
        action: "report.deleted",
        subject_type: "report",
        subject_id: deleted.id,
        details: { title, report_type, case_id, format },
      });
      return { deleted: true, id: deleted.id };
    },
  };
}

function typed(report: Report): TypedReport {
  return { ...report, content_type: CONTENT_TYPES[report.format] };
}
