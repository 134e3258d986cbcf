import { SafeText } from "../../../app/text/safe-text-view.tsx";
import type { ReportSummary } from "./reports-client.ts";

/** The cells of a report in a list: title, kind, format, author, time. */
export const ReportCells = (report: ReportSummary, words: { kind: string; format: string }, at: string) => (
  <>
    <span className="list-title list-strong">
      <SafeText>{report.title}</SafeText>
    </span>
    <span>{words.kind}</span>
    <span className="soft">{words.format}</span>
    <span className="list-title">
      <SafeText>{report.created_by}</SafeText>
    </span>
    <span className="list-mono">{at}</span>
  </>
);
