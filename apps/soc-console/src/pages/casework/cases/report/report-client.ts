import type { ReportBody } from "@soc/service/contract/reporting/reports/reports";
import type { Static } from "typebox";
import type { Changed } from "../../../../app/server/changed.ts";
import type { Server } from "../../../../app/server/server.ts";
import type { Wire } from "../../../../app/server/wire.ts";

export type Report = Wire<Static<typeof ReportBody>>;
export const REPORT_FORMATS = ["markdown", "html", "pdf", "json"] as const;

export function createReportClient(server: Server) {
  return {
    one: (id: string, signal: AbortSignal) => server.get<Report>(`/reports/${encodeURIComponent(id)}`, { signal }),
    write: (caseId: string, format: Report["format"]) =>
      server.post<Changed<Report>>("/reports", { report_type: "investigation", case_id: caseId, format }),
  };
}

const ENDINGS: Readonly<Record<Report["format"], string>> = { markdown: "md", html: "html", pdf: "pdf", json: "json" };

/** The report as a file; a PDF comes as base64. */
export function toFile({ id, format, content, content_type }: Report): { name: string; content: Blob } {
  const bytes = format === "pdf" ? Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0)) : content;
  return { name: `report-${id}.${ENDINGS[format]}`, content: new Blob([bytes], { type: content_type }) };
}

/** The text without the ledger's bundle, which is for the verifier and fills pages. */
export function readableText(markdown: string): string {
  return markdown.replace(/^```json\n\{[^\n]*"manara-soc-ledger-1"[\s\S]*?^```$/gm, "");
}
