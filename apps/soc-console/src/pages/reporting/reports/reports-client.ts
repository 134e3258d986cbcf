import type {
  CreateReportRequest,
  ReportBody,
  ReportSummaryBody,
} from "@soc/service/contract/reporting/reports/reports";
import type { Static } from "typebox";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type Report = Wire<Static<typeof ReportBody>>;
export type ReportSummary = Wire<Static<typeof ReportSummaryBody>>;
export type ReportRequest = Wire<CreateReportRequest>;
export const REPORT_TYPES: readonly Report["report_type"][] = ["investigation", "executive", "compliance"];
export const REPORT_FORMATS: readonly Report["format"][] = ["markdown", "html", "pdf", "json"];

export const reportKeys = {
  one: (id: string | undefined) => ["reports", "one", id] as const,
  cases: ["reports", "cases"] as const,
};

const MAX_CASES = 100;

export function createReportsClient(server: Server) {
  const at = (id: string, rest = "") => `/reports/${encodeURIComponent(id)}${rest}`;
  return {
    list: (query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) =>
      server.get<ListResponse<ReportSummary>>("/reports", { query, signal }),
    one: (id: string, signal?: AbortSignal) => server.get<Report>(at(id), { signal }),
    create: (request: ReportRequest) => server.post<ChangeResult<Report>>("/reports", request),
    remove: (id: string) => server.remove<ChangeResult<{ deleted: boolean }>>(at(id)),
    /** The stored file. Reading it is audited. */
    download: (id: string) => server.download(at(id, "/download"), { priority: "user" }),
    /** The most recently changed cases, for the choice of a case. */
    cases: (signal?: AbortSignal) =>
      server.get<ListResponse<{ id: string; title: string }>>("/cases", {
        query: { limit: MAX_CASES, sort: "-updated_at" },
        signal,
      }),
  };
}

const ENDINGS: Readonly<Record<Report["format"], string>> = { markdown: "md", html: "html", pdf: "pdf", json: "json" };

export function fileName({ id, format }: Pick<Report, "id" | "format">): string {
  return `report-${id}.${ENDINGS[format]}`;
}

/** The report as a file, without a request: a preview is not stored. A PDF arrives as base64. */
export function toFile({ content, content_type, ...report }: Report): { name: string; content: Blob } {
  const bytes = report.format === "pdf" ? Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0)) : content;
  return { name: fileName(report), content: new Blob([bytes], { type: content_type }) };
}

/** The text without its first heading, which is the title of the page. */
export function withoutTitle(markdown: string): string {
  return markdown.replace(/^# [^\n]*\n+/, "");
}

/** The text without the ledger bundle, which is long and only for the verifier. */
export function readableText(markdown: string): string {
  return markdown.replace(/^```json\n\{[^\n]*"manara-soc-ledger-1"[\s\S]*?^```$/gm, "");
}
