import type { Clock } from "@kit/clock";
import { invalidField, Problem } from "@kit/problem";
import type { AlertsService } from "../../alerts/module.ts";
import type { CasesService, LedgerService } from "../../cases/module.ts";
import type { AuditService } from "../../foundation/audit/audit.service.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { parsePeriod } from "../stats/period.ts";
import type { StatsService } from "../stats/stats.service.ts";
import type { ReportSummary } from "./report.ts";
import { AUDIT_SECTIONS, buildComplianceReport } from "./report-compliance.ts";
import type { ReportDocument } from "./report-document.ts";
import { buildExecutiveReport } from "./report-executive.ts";
import { buildInvestigationReport, type ResponseFact } from "./report-investigation.ts";
import { render } from "./report-render.ts";
import type { CreateReportRequest, ReportFormat } from "./reports.schema.ts";

export interface ReportMakerDeps {
  cases: Pick<CasesService, "get">;
  alerts: Pick<AlertsService, "list">;
  ledger: Pick<LedgerService, "bundle" | "status" | "listCheckpoints">;
  stats: Pick<StatsService, "period">;
  audit: Pick<AuditService, "list">;
  /** The responses to a case, newest first. */
  responses: (case_id: string) => Promise<readonly ResponseFact[]>;
  clock: Pick<Clock, "now" | "deadline" | "monotonicMs" | "sleep">;
}
export type ReportMaker = ReturnType<typeof createReportMaker>;

export interface MadeReport {
  title: string;
  case_id: string | null;
  format: ReportFormat;
  content: string;
  made_at: Date;
}

const NEWEST = { limit: 200 };
const MAX_LISTED = 100;
const MAX_CHECKPOINTS = 20;
const READ_MS = 10_000;
const MAX_WAITING = 10;

/** Reads the facts of a report and renders it. Stores nothing. */
export function createReportMaker({ cases, alerts, ledger, stats, audit, responses, clock }: ReportMakerDeps) {
  type ReportOrigin = Pick<ReportDocument, "made_at" | "made_by">;
  let waiting = 0;
  let restMs = 0;
  let turn: Promise<void> = Promise.resolve();
  const rest = async () => (restMs > 0 ? clock.sleep(restMs) : undefined);

  /**
   * Renders one report at a time, then pauses as long as the rendering took, so that half of the CPU time remains for
   * requests.
   */
  async function renderInTurn(document: ReportDocument, format: ReportFormat): Promise<string> {
    if (waiting >= MAX_WAITING)
      throw new Problem("unavailable", "too many reports are being rendered; try again later");
    waiting += 1;
    const rendered = turn.then(async () => {
      const startMs = clock.monotonicMs();
      try {
        return await render(document, format);
      } finally {
        waiting -= 1;
        restMs = clock.monotonicMs() - startMs;
      }
    });
    turn = rendered.then(rest, rest);
    return rendered;
  }

  async function makeInvestigation(case_id: string | undefined, made: ReportOrigin): Promise<ReportDocument> {
    if (case_id === undefined) throw invalidField("case_id", "is required for an investigation");
    const found = await cases.get(ALL_SITES, case_id);
    const listed = await alerts.list(ALL_SITES, { case_id: [found.id], ...NEWEST });
    const { bundle, ledgerAlarm } = await readLedger(found.id);
    return buildInvestigationReport(
      { found, alerts: listed, responses: await responses(found.id), bundle, ledgerAlarm },
      made,
    );
  }

  async function readLedger(case_id: string) {
    try {
      return { bundle: await ledger.bundle(case_id), ledgerAlarm: undefined };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // A case without evidence has no chain. During an alarm signing has stopped, and the report states the reason.
      if (error.kind === "not_found") return { bundle: undefined, ledgerAlarm: undefined };
      if (error.kind === "conflict") return { bundle: undefined, ledgerAlarm: error.message };
      throw error;
    }
  }

  async function makeExecutive({ from, to }: CreateReportRequest, made: ReportOrigin): Promise<ReportDocument> {
    const period = parsePeriod(from, to, made.made_at);
    const lengthMs = period.to.getTime() - period.from.getTime();
    const before = { from: new Date(period.from.getTime() - lengthMs), to: period.from };
    return buildExecutiveReport({ period, now: await stats.period(period), before: await stats.period(before) }, made);
  }

  async function makeCompliance({ from, to }: CreateReportRequest, made: ReportOrigin): Promise<ReportDocument> {
    const period = parsePeriod(from, to, made.made_at);
    const within = { from: period.from.toISOString(), to: period.to.toISOString() };
    const sections = [];
    for (const section of AUDIT_SECTIONS) {
      const { heading: _, ...filter } = section;
      const {
        items,
        total,
        total_is_estimate: isEstimate = false,
      } = await audit.list({ ...within, ...filter, limit: MAX_LISTED });
      sections.push({ section, items, total, isEstimate });
    }
    const { total: auditTotal } = await audit.list({ ...within, limit: 1 });
    const { items: checkpoints } = await ledger.listCheckpoints({ limit: MAX_CHECKPOINTS });
    return buildComplianceReport({ period, sections, auditTotal, ledger: await ledger.status(), checkpoints }, made);
  }

  async function write(request: CreateReportRequest, made: ReportOrigin): Promise<ReportDocument> {
    switch (request.report_type) {
      case "investigation":
        return makeInvestigation(request.case_id, made);
      case "executive":
        return makeExecutive(request, made);
      case "compliance":
        return makeCompliance(request, made);
      default:
        return request.report_type satisfies never;
    }
  }

  /** Returns the title of the report's case, which must exist. An investigation has already read it. */
  async function nameCase({ report_type, case_id }: CreateReportRequest): Promise<string | null> {
    if (case_id === undefined) return null;
    return report_type === "investigation" ? case_id.toLowerCase() : (await cases.get(ALL_SITES, case_id)).id;
  }

  async function make(made_by: string, request: CreateReportRequest): Promise<MadeReport> {
    const { format = "markdown" } = request;
    const made_at = clock.now();
    const document = await withinTime(write(request, { made_at, made_by }), clock.deadline(READ_MS));
    const named = await nameCase(request);
    const content = await renderInTurn(document, format);
    return { title: document.title, case_id: named, format, content, made_at };
  }

  return {
    make,

    /** Renders the content of a showcase report from the story at the current time. */
    async fromShowcase({ created_by, report_type, format, case_id }: ReportSummary): Promise<string> {
      const request = { report_type, format, ...(case_id !== null && { case_id }) };
      return (await make(created_by, request)).content;
    },
  };
}

async function withinTime<Result>(work: Promise<Result>, deadline: AbortSignal): Promise<Result> {
  const late = new Promise<never>((_, refuse) => {
    const refuseLate = () => refuse(new Problem("unavailable", "the report took too long to prepare"));
    deadline.addEventListener("abort", refuseLate, { once: true });
  });
  return Promise.race([work, late]);
}
