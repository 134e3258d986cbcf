import type { Severity } from "../alerts/alerts.schema.ts";
import type { SeverityCounts } from "./alert-summaries.schema.ts";

export function countSeverities(severities: readonly Severity[]): SeverityCounts {
  const counts: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const severity of severities) counts[severity] += 1;
  return counts;
}
