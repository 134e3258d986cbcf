import { unifyHost, unifyUser } from "../../foundation/records/entity-name.ts";
import type { NewAlert } from "./alert.ts";
import { collectEntities, type EntityFields } from "./alert-entities.ts";
import { oneLine } from "./alert-text.ts";

/** The maximum lengths of the texts and lists of an alert. */
export const ALERT_LIMITS = {
  title: 500,
  description: 20_000,
  source: 100,
  name: 255,
  site: 100,
  logIds: 100,
} as const;

/** The log fields that an alert copies. */
export interface ReportedLog extends EntityFields {
  id: string;
  /** When the event happened. */
  timestamp: string;
  ingested_at: string;
  site: string;
}

type NamingLog = Pick<ReportedLog, "host" | "user" | "site">;

/**
 * An alert names a host, user or site only if all its logs name the same one, ignoring spelling. The logs quoted in its
 * texts also count for the site: an alert with logs of two sites has no site.
 */
export function sharedFields(
  logs: readonly NamingLog[],
  shown: readonly NamingLog[] = [],
): Pick<NewAlert, "host" | "user" | "site"> {
  const shared = (field: "host" | "user", unify: (name: string) => string) => {
    const text = logs[0]?.[field] ?? "";
    const name = unify(text);
    const named = logs.every((log) => unify(log[field]) === name) ? oneLine(text, ALERT_LIMITS.name) : undefined;
    return named === undefined ? {} : { [field]: named };
  };
  const site = findSite([...logs, ...shown]);
  return { ...shared("host", unifyHost), ...shared("user", unifyUser), ...(site !== undefined && { site }) };
}

/** Returns the site of all the logs; undefined if they have none or several. */
export function findSite(logs: readonly Pick<ReportedLog, "site">[]): string | undefined {
  const [first] = logs;
  return logs.every(({ site }) => site === first?.site) ? oneLine(first?.site ?? "", ALERT_LIMITS.site) : undefined;
}

/** Summarises the logs of an alert: ids, count, entities, event times, and when the newest log was received. */
export function countedLogs(
  logs: readonly ReportedLog[],
): Pick<NewAlert, "log_ids" | "occurrence_count" | "seen_at" | "entities" | "event_first_at" | "event_last_at"> {
  const times = spanTimes(logs.map(({ timestamp }) => Date.parse(timestamp)));
  const received = spanTimes(logs.map(({ ingested_at }) => Date.parse(ingested_at)));
  return {
    log_ids: logs.slice(0, ALERT_LIMITS.logIds).map(({ id }) => id),
    occurrence_count: Math.max(logs.length, 1),
    entities: collectEntities(logs),
    ...(received && { seen_at: received.last }),
    ...(times && { event_first_at: times.first, event_last_at: times.last }),
  };
}

function spanTimes(times: readonly number[]): { first: Date; last: Date } | undefined {
  if (times.length === 0) return undefined;
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  return { first: new Date(first), last: new Date(last) };
}
