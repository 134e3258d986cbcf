import { type Alert, UNSET_FIELDS } from "../alerts/alerts/alert.ts";
import { mergeEntities, NO_ENTITIES, namedEntities } from "../alerts/alerts/alert-entities.ts";
import { countedLogs } from "../alerts/alerts/alert-report.ts";
import type { AlertStatus, Severity } from "../alerts/alerts/alerts.schema.ts";
import type { LogEvent } from "../ports/log-event.ts";
import { type AlertFact, SEED } from "./seed.ts";
import { type Analyst, CASE_IDS, emailOf, minutesBefore, SITES, toStoryId } from "./story.ts";

const RISK_OF: Readonly<Record<Severity, number>> = { critical: 95, high: 75, medium: 50, low: 25, info: 5 };
const FIRST_LINE: Analyst = "sara.mansour";
const SECOND_LINE: Analyst = "yusuf.karim";
const MINUTES_TO_ACKNOWLEDGE = 4;
const MINUTES_TO_RESOLVE = 90;

/** Builds the alerts in order of arrival with their logs, which are found by the alert's title. */
export function buildShowcaseAlerts(now: Date, logsByAlert: ReadonlyMap<string, LogEvent[]>): Alert[] {
  return SEED.alerts.map((fact, index) =>
    buildShowcaseAlert(fact, toStoryId("alert", index + 1), logsByAlert.get(fact.title) ?? [], now),
  );
}

function buildShowcaseAlert(fact: AlertFact, id: string, logs: readonly LogEvent[], now: Date): Alert {
  const { minutesAgo, occurrences = 1, resolution = null } = fact;
  const created_at = minutesBefore(now, minutesAgo);
  const isNew = fact.status === "new";
  const verdict = toVerdict(fact.status);
  const acknowledged_at = isNew ? null : minutesBefore(now, minutesAgo - MINUTES_TO_ACKNOWLEDGE);
  const resolved_at = resolution === null ? null : minutesBefore(now, minutesAgo - MINUTES_TO_RESOLVE);
  const last_seen = minutesBefore(now, fact.lastMinutesAgo ?? minutesAgo);
  return {
    ...UNSET_FIELDS,
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
    ...buildEventFields(fact, logs, created_at, last_seen),
    case_id: fact.case === undefined ? null : CASE_IDS[fact.case],
    rule_id: null,
    mitre_techniques: fact.mitre,
    host: fact.host ?? null,
    user: fact.user ?? null,
    site: SITES[fact.site].name,
    group: null,
    risk_score: RISK_OF[fact.severity],
    assignee: isNew ? null : emailOf(fact.case === undefined ? FIRST_LINE : SECOND_LINE),
    acknowledged_at,
    acknowledged_by: isNew ? null : FIRST_LINE,
    resolved_at,
    resolution,
    verdict,
    verdict_at: verdict === null ? null : resolved_at,
    tags: fact.case === undefined || fact.case === "backup" ? [] : ["intrusion"],
    created_at,
    updated_at: pickLatest(last_seen, acknowledged_at, resolved_at),
  };
}

/** Returns the entities of the alert's logs, or those of the alert if it has none. */
function buildEventFields(fact: AlertFact, logs: readonly LogEvent[], first: Date, last: Date) {
  const { log_ids = [], entities = NO_ENTITIES, event_first_at = first, event_last_at = last } = countedLogs(logs);
  const named = namedEntities(fact.host, fact.user, logs.length === 0 ? (fact.occurrences ?? 1) : 0);
  return { log_ids, entities: mergeEntities(entities, named), event_first_at, event_last_at };
}

function pickLatest(first: Date, ...others: (Date | null)[]): Date {
  return new Date(Math.max(first.getTime(), ...others.map((time) => time?.getTime() ?? 0)));
}

function toVerdict(status: AlertStatus): Alert["verdict"] {
  if (status === "false_positive") return "false_positive";
  return status === "resolved" ? "true_positive" : null;
}
