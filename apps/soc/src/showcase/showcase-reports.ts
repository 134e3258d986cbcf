import type { ReportSummary } from "../reporting/reports/report.ts";
import { type Analyst, CASE_IDS, minutesBefore, toStoryId } from "./story.ts";

interface ReportFact extends Pick<ReportSummary, "title" | "report_type" | "case_id" | "format"> {
  minutesAgo: number;
  by: Analyst;
}

const REPORTS: readonly ReportFact[] = [
  {
    minutesAgo: 2760,
    by: "yusuf.karim",
    title: "Backup server looks like a thief",
    report_type: "investigation",
    case_id: CASE_IDS.backup,
    format: "markdown",
  },
  {
    minutesAgo: 1380,
    by: "yusuf.karim",
    title: "Account of layla.haddad was taken over",
    report_type: "investigation",
    case_id: CASE_IDS.takeover,
    format: "html",
  },
  {
    minutesAgo: 250,
    by: "amina.farouk",
    title: "From a finance laptop to the file server",
    report_type: "investigation",
    case_id: CASE_IDS.movement,
    format: "pdf",
  },
  {
    minutesAgo: 170,
    by: "daniel.okafor",
    title: "Unknown firmware on a recitation player and a pump gateway",
    report_type: "investigation",
    case_id: CASE_IDS.devices,
    format: "json",
  },
  {
    minutesAgo: 120,
    by: "hassan.ali",
    title: "Security operations: executive report",
    report_type: "executive",
    case_id: null,
    format: "pdf",
  },
  {
    minutesAgo: 60,
    by: "ruth.adler",
    title: "Security operations: compliance report",
    report_type: "compliance",
    case_id: null,
    format: "html",
  },
];

/** Without content, which is rendered from the story when a client reads a report. */
export function buildShowcaseReports(now: Date): ReportSummary[] {
  return REPORTS.map(({ minutesAgo, by, ...fact }, index) => ({
    id: toStoryId("report", index + 1),
    ...fact,
    status: "completed",
    created_by: by,
    created_at: minutesBefore(now, minutesAgo),
  }));
}
