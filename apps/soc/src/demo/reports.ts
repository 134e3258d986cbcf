import type { ReportSummary } from "../reporting/reports/report.ts";
import { SEED } from "./seed.ts";
import { CASE_IDS, minutesBefore, toStoryId } from "./story.ts";

/** Builds reports without content, which is rendered when a client reads a report. */
export function buildShowcaseReports(now: Date): ReportSummary[] {
  return SEED.reports.map(({ minutesAgo, by, case: key, ...fact }, index) => ({
    id: toStoryId("report", index + 1),
    ...fact,
    case_id: key && CASE_IDS[key],
    status: "completed",
    created_by: by,
    created_at: minutesBefore(now, minutesAgo),
  }));
}
