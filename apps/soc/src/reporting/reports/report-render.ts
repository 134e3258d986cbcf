import { cleaned, type ReportDocument } from "./report-document.ts";
import { toHtml } from "./report-html.ts";
import { toMarkdown } from "./report-markdown.ts";
import { toPdf } from "./report-pdf.ts";
import type { ReportFormat } from "./reports.schema.ts";

/** Renders the stored content of a report: text, or a PDF in base64. */
export async function render(document: ReportDocument, format: ReportFormat): Promise<string> {
  const shown = cleaned(document);
  switch (format) {
    case "markdown":
      return toMarkdown(shown);
    case "html":
      return toHtml(shown);
    case "pdf":
      return (await toPdf(shown)).toString("base64");
    case "json":
      return JSON.stringify(shown);
    default:
      return format satisfies never;
  }
}
