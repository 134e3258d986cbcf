import type { AlertStatus, Severity } from "../alerts/alerts/alerts.schema.ts";
import type { CaseKey, SiteKey } from "./story.ts";

/** The facts of one alert; all other fields are derived from them. */
export interface AlertFact {
  minutesAgo: number;
  title: string;
  description?: string;
  source: string;
  severity: Severity;
  status: AlertStatus;
  site: SiteKey;
  host?: string;
  user?: string;
  iocs: string[];
  mitre: string[];
  case?: CaseKey;
  occurrences?: number;
  /** When it was seen for the last time; omitted if it was seen once. */
  lastMinutesAgo?: number;
  resolution?: string;
}
