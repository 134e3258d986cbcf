import type { AlertStatus, Severity } from "../casework/alerts/alerts.schema.ts";
import type { CaseKey, SiteKey } from "./story.ts";

/** What is told of one alert; the rest follows from it. */
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
  /** When it was seen for the last time; without it, once. */
  lastMinutesAgo?: number;
  resolution?: string;
}
