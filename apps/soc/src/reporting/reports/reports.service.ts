import type { Ids } from "@kit/clock/ids";
import { notFound, Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { CONTENT_TYPES, type Report, type ReportSummary } from "./report.ts";
import type { MadeReport, ReportMaker } from "./report-maker.ts";
import type { CreateReportRequest, ListReportsQuery } from "./reports.schema.ts";
import { createReportsWriter, type ReportsStore } from "./reports.store.ts";

export interface ReportsServiceDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: ReportsStore; showcase: ReportsStore };
  maker: ReportMaker;
  audit: Recorder;
  ids: Pick<Ids, "next">;
}
export type ReportsService = ReturnType<typeof createReportsService>;

/** A report of a response. */
export type TypedReport = Report & { content_type: string };

/** A rendered report that is not stored yet. */
export interface Draft {
  request: CreateReportRequest;
  made: MadeReport;
}

export function createReportsService({ db, runtime, stores, maker, audit, ids }: ReportsServiceDeps) {
  async function get(id: string): Promise<Report> {
    const report = await (await runtime.choose(stores)).find(id);
    if (!report) throw notFound("report", id);
    return report;
  }

  /** Returns undefined if a report with the same key exists. */
  async function store(tx: Tx, created_by: string, { request, made }: Draft, key: string | null) {
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
    if (!(await createReportsWriter(tx).insert(report, key))) return undefined;
    await audit.record(tx, {
      actor: created_by,
      action: "report.created",
      subject_type: "report",
      subject_id: report.id,
      details: { title, report_type, case_id, format },
    });
    return report;
  }

  /** Reads and renders outside a transaction, so that slow work holds no connection. */
  async function draft(made_by: string, request: CreateReportRequest): Promise<Draft> {
    return { request, made: await maker.make(made_by, request) };
  }

  return {
    draft,

    async list(query: ListReportsQuery): Promise<Page<ReportSummary>> {
      return (await runtime.choose(stores)).list(query);
    },

    get: async (id: string): Promise<TypedReport> => typed(await get(id)),

    async keep(tx: Tx, created_by: string, drafted: Draft): Promise<TypedReport> {
      const report = await store(tx, created_by, drafted, null);
      if (!report) throw new Error("a report without a key was not stored");
      return typed(report);
    },

    /** Creates the report of a step outside of its transaction. The same key returns the same report. */
    async generate(created_by: string, request: CreateReportRequest, key: string): Promise<ReportSummary> {
      const known = await createReportsWriter(db).findByKey(key);
      if (known) return known;
      const drafted = await draft(created_by, request);
      const stored = await db.transaction().execute((tx) => store(tx, created_by, drafted, key));
      const report = stored ?? (await createReportsWriter(db).findByKey(key));
      if (!report) throw new Problem("unavailable", "the report was deleted during its creation");
      return report;
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
