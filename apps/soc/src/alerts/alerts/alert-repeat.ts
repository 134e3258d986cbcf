import { updatedAt } from "../../foundation/records/if-match.ts";
import type { Alert, AlertFields, AlertRow } from "./alert.ts";
import { hasOtherNames, mergeEntities, NO_ENTITIES } from "./alert-entities.ts";
import { toFilterKeys, toNames } from "./alert-filters.ts";
import { ALERT_LIMITS } from "./alert-report.ts";
import { SEVERITIES, type Severity } from "./alerts.schema.ts";

export type KnownAlert = Alert & Pick<AlertRow, "reported_severity">;

export interface Repeat {
  fields: AlertFields & Partial<Pick<AlertRow, "reported_severity" | "filter_keys" | "names">>;
  isReopened: boolean;
}

/** How long a false positive absorbs repeats. Use a suppression for longer: it has an owner, a reason and an expiry. */
const FALSE_POSITIVE_MS = 24 * 60 * 60_000;

/** Computes how a repeated report changes the alert. */
export function countRepeat(known: KnownAlert, reported: AlertRow): Repeat {
  const isReopened = isReopening(known, reported);
  const again = isForeign(known, reported) ? withoutDetails(reported) : reported;
  // A severity set by a person stays until a report is worse than all previous reports.
  const isWorse = rankOf(again.severity) > rankOf(known.reported_severity);
  const counted = {
    occurrence_count: known.occurrence_count + again.occurrence_count,
    last_seen: latest(known.last_seen, again.last_seen),
    event_first_at: earliestKnown(known.event_first_at, again.event_first_at),
    event_last_at: latestKnown(known.event_last_at, again.event_last_at),
    log_ids: [...new Set([...known.log_ids, ...again.log_ids])].slice(0, ALERT_LIMITS.logIds),
    entities: mergeEntities(known.entities, again.entities),
    group: known.group ?? again.group,
    ...(isWorse && { severity: pickWorse(known.severity, again.severity), reported_severity: again.severity }),
    ...(known.status === "false_positive" && {
      suppressed_since_verdict: known.suppressed_since_verdict + (isReopened ? 0 : again.occurrence_count),
    }),
    ...(isReopened && reopenedFields(known, again)),
    // Counting a recurrence must not invalidate the If-Match of a user who edits the alert.
    ...((isReopened || isWorse) && { updated_at: updatedAt(known, again.created_at) }),
  };
  const merged = { ...known, ...counted };
  return { fields: { ...counted, filter_keys: toFilterKeys(merged), names: toNames(merged) }, isReopened };
}

/** Reports whether the alert is visible to callers of one site and the repeat comes from another site. */
function isForeign(known: KnownAlert, again: AlertRow): boolean {
  return known.site !== null && known.site !== again.site;
}

/** Keeps only severity and times of a report from another site. */
function withoutDetails(reported: AlertRow): AlertRow {
  const nothing = { description: null, host: null, user: null, group: null, event_first_at: null, event_last_at: null };
  return { ...reported, ...nothing, log_ids: [], entities: NO_ENTITIES };
}

function isReopening(known: KnownAlert, again: AlertRow): boolean {
  switch (known.status) {
    case "resolved":
    case "closed":
      // An occurrence before the resolution does not reopen the alert.
      return known.resolved_at === null || again.last_seen >= known.resolved_at;
    case "false_positive":
      return isAnother(known, again) || again.last_seen.getTime() >= verdictTime(known) + FALSE_POSITIVE_MS;
    case "new":
    case "triaged":
    case "investigating":
      return false;
    default:
      return known.status satisfies never;
  }
}

/** Reports whether the repeat has other hosts and users or another severity than the verdict covered. */
function isAnother(known: KnownAlert, again: AlertRow): boolean {
  const isKnownSeverity = again.severity === known.severity || again.severity === known.reported_severity;
  return !isKnownSeverity || hasOtherNames(known.entities, again.entities);
}

/** Resets the entities on reopening, so that a response never targets the host of the previous incident. */
function reopenedFields(known: KnownAlert, again: AlertRow): AlertFields {
  return {
    status: "new",
    reopened_count: known.reopened_count + 1,
    reopened_at: again.created_at,
    description: again.description ?? known.description,
    host: again.entities.hosts.length > 0 ? again.host : known.host,
    user: again.entities.users.length > 0 ? again.user : known.user,
    group: again.group ?? known.group,
    acknowledged_at: null,
    acknowledged_by: null,
    resolved_at: null,
    resolution: null,
    verdict: null,
    verdict_at: null,
  };
}

function verdictTime({ verdict_at, resolved_at }: KnownAlert): number {
  return (verdict_at ?? resolved_at)?.getTime() ?? 0;
}

function rankOf(severity: Severity): number {
  return SEVERITIES.length - SEVERITIES.indexOf(severity);
}

function pickWorse(one: Severity, other: Severity): Severity {
  return rankOf(one) >= rankOf(other) ? one : other;
}

function latest(one: Date, other: Date): Date {
  return one >= other ? one : other;
}

function latestKnown(one: Date | null, other: Date | null): Date | null {
  return one && other ? latest(one, other) : (one ?? other);
}

function earliestKnown(one: Date | null, other: Date | null): Date | null {
  if (!(one && other)) return one ?? other;
  return one <= other ? one : other;
}
