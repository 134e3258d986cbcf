import type { Alert } from "../casework/alerts/alert.ts";
import type { AlertStatus, Severity } from "../casework/alerts/alerts.schema.ts";
import type { AlertFact } from "./alert-fact.ts";
import { EVERYDAY_ALERTS } from "./everyday-alerts.ts";
import { INTRUSION_ALERTS } from "./intrusion-alerts.ts";
import { type Analyst, CASE_IDS, emailOf, minutesBefore, SITES, toStoryId } from "./story.ts";

const RISK_OF: Readonly<Record<Severity, number>> = { critical: 95, high: 75, medium: 50, low: 25, info: 5 };
const FIRST_LINE: Analyst = "sara.mansour";
const SECOND_LINE: Analyst = "yusuf.karim";
const MINUTES_TO_ACKNOWLEDGE = 4;
const MINUTES_TO_RESOLVE = 90;

/** In the order of arrival, each with the ids of its logs, which are found by the alert's title. */
export function buildShowcaseAlerts(now: Date, logIdsByAlert: ReadonlyMap<string, string[]>): Alert[] {
  return [...INTRUSION_ALERTS, ...EVERYDAY_ALERTS].map((fact, index) =>
    buildShowcaseAlert(fact, toStoryId("alert", index + 1), logIdsByAlert.get(fact.title) ?? [], now),
  );
}

function buildShowcaseAlert(fact: AlertFact, id: string, log_ids: string[], now: Date): Alert {
  const { minutesAgo, occurrences = 1, resolution = null } = fact;
  const created_at = minutesBefore(now, minutesAgo);
  const isNew = fact.status === "new";
  const acknowledged_at = isNew ? null : minutesBefore(now, minutesAgo - MINUTES_TO_ACKNOWLEDGE);
  const resolved_at = resolution === null ? null : minutesBefore(now, minutesAgo - MINUTES_TO_RESOLVE);
  const last_seen = minutesBefore(now, fact.lastMinutesAgo ?? minutesAgo);
  return {
    id,
    title: fact.title,
    description: fact.description ?? null,
    source: fact.source,
    severity: fact.severity,
    status: fact.status,
    iocs: fact.iocs,
    occurrence_count: occurrences,
    first_seen: created_at,
    last_seen,
    reopened_count: 0,
    case_id: fact.case === undefined ? null : CASE_IDS[fact.case],
    rule_id: null,
    log_ids,
    mitre_techniques: fact.mitre,
    host: fact.host ?? null,
    user: fact.user ?? null,
    site: SITES[fact.site].name,
    risk_score: RISK_OF[fact.severity],
    assignee: isNew ? null : emailOf(fact.case === undefined ? FIRST_LINE : SECOND_LINE),
    acknowledged_at,
    acknowledged_by: isNew ? null : FIRST_LINE,
    resolved_at,
    resolution,
    verdict: toVerdict(fact.status),
    tags: fact.case === undefined || fact.case === "backup" ? [] : ["intrusion"],
    created_at,
    updated_at: pickLatest(last_seen, acknowledged_at, resolved_at),
  };
}

function pickLatest(first: Date, ...others: (Date | null)[]): Date {
  return new Date(Math.max(first.getTime(), ...others.map((time) => time?.getTime() ?? 0)));
}

function toVerdict(status: AlertStatus): Alert["verdict"] {
  if (status === "false_positive") return "false_positive";
  return status === "resolved" ? "true_positive" : null;
}
