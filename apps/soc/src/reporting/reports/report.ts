import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import type { ListReportsQuery, ReportFormat, ReportStatus, ReportType } from "./reports.schema.ts";

export interface ReportSummary {
  id: string;
  title: string;
  report_type: ReportType;
  case_id: string | null;
  format: ReportFormat;
  status: ReportStatus;
  created_by: string;
  created_at: Date;
}

export interface Report extends ReportSummary {
  /** Text, or a PDF in base64. */
  content: string;
}

export const CONTENT_TYPES: Readonly<Record<ReportFormat, string>> = {
  markdown: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
  pdf: "application/pdf",
  json: "application/json; charset=utf-8",
};
const EXTENSIONS: Readonly<Record<ReportFormat, string>> = { markdown: "md", html: "html", pdf: "pdf", json: "json" };

/** Contains no user input: it is sent in a header and becomes a file name on the user's disk. */
export function buildFileName({ id, report_type, format, created_at }: ReportSummary): string {
  return `${report_type}-${created_at.toISOString().slice(0, 10)}-${id.slice(-12)}.${EXTENSIONS[format]}`;
}

export function decodeContent({ format, content }: Report): Buffer {
  return Buffer.from(content, format === "pdf" ? "base64" : "utf8");
}

export const NEWEST_FIRST: Order<ReportSummary> = newestFirst("created_at");

export const EQUAL_FILTERS = ["report_type", "case_id", "format"] as const;

export function isListed(report: ReportSummary, query: ListReportsQuery): boolean {
  return EQUAL_FILTERS.every((name) => query[name] === undefined || query[name]?.toLowerCase() === report[name]);
}
