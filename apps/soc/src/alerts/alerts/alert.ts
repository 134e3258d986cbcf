import { createHash } from "node:crypto";
import { invalidField, Problem } from "@kit/problem";
import type { Static } from "typebox";
import { isPerson } from "../../foundation/caller/caller.ts";
import type { Order } from "../../foundation/lists/order.ts";
import { type AlertEntities, namedEntities } from "./alert-entities.ts";
import { toFilterKeys, toNames } from "./alert-filters.ts";
import {
  type AlertBody,
  type AlertSort,
  type AlertStatus,
  type CreateAlertRequest,
  SEVERITIES,
  type Severity,
  UpdateAlertRequest,
} from "./alerts.schema.ts";

export type Alert = Static<typeof AlertBody>;

export interface AlertRow extends Alert {
  fingerprint: string;
  /** The highest severity that was reported. A person may have set another severity. */
  reported_severity: Severity;
  /** The list filters that are not columns. */
  filter_keys: string[];
  /** The names of its hosts and users, for full-text search. */
  names: string;
}

/** A report by a person, a sensor or a detection rule. */
export interface NewAlert extends CreateAlertRequest {
  rule_id?: string;
  /** The number of occurrences in this report. */
  occurrence_count?: number;
  /**
   * When the newest reported occurrence arrived; default: now. Only an occurrence after the resolution reopens an
   * alert.
   */
  seen_at?: Date;
  /** Default: the host and user of the report. */
  entities?: AlertEntities;
  /** When the reported events happened, if known. */
  event_first_at?: Date;
  event_last_at?: Date;
  group?: Record<string, string>;
}

/** The fields of a stored alert that can change. */
export type AlertFields = Partial<Omit<Alert, "id" | "created_at">>;

type Finding = Pick<NewAlert, "title" | "source" | "iocs">;
type FindingAtSite = Finding & { site?: string | null };

/** Returns the fingerprint of a finding. Order and repetition of the IOCs do not matter. */
export function fingerprintOf({ title, source, iocs = [] }: Finding): string {
  return digestOf([title, source, [...new Set(iocs)].toSorted()]);
}

/** Returns the fingerprint of a finding that includes its site: for callers with some sites, and for the platform. */
export function siteFingerprintOf({ title, source, iocs = [], site = null }: FindingAtSite): string {
  return digestOf([title, source, [...new Set(iocs)].toSorted(), ...(site === null ? [] : [site])]);
}

function digestOf(parts: readonly unknown[]): string {
  // For a list of texts, JSON.stringify produces the canonical JSON of RFC 8785.
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** What no report sets. */
export const UNSET_FIELDS = {
  reopened_count: 0,
  reopened_at: null,
  case_id: null,
  acknowledged_at: null,
  acknowledged_by: null,
  resolved_at: null,
  resolution: null,
  verdict: null,
  verdict_at: null,
  suppressed_since_verdict: 0,
} as const;

export function buildAlert(report: NewAlert, id: string, now: Date): AlertRow {
  const { title, source, severity = "medium", iocs = [], log_ids = [], mitre_techniques = [], tags = [] } = report;
  const { host, user, occurrence_count = 1, entities = namedEntities(host, user, occurrence_count) } = report;
  return toRow({
    ...UNSET_FIELDS,
    id,
    title,
    description: report.description ?? null,
    source,
    severity,
    status: "new",
    iocs: [...new Set(iocs)],
    occurrence_count,
    first_seen: report.seen_at ?? now,
    last_seen: report.seen_at ?? now,
    event_first_at: report.event_first_at ?? null,
    event_last_at: report.event_last_at ?? null,
    rule_id: report.rule_id ?? null,
    log_ids,
    mitre_techniques,
    host: host ?? null,
    user: user ?? null,
    site: report.site ?? null,
    entities,
    group: report.group ?? null,
    risk_score: report.risk_score ?? null,
    assignee: report.assignee ?? null,
    tags,
    created_at: now,
    updated_at: now,
  });
}

export function toRow(alert: Alert): AlertRow {
  return {
    ...alert,
    fingerprint: siteFingerprintOf(alert),
    reported_severity: alert.severity,
    filter_keys: toFilterKeys(alert),
    names: toNames(alert),
  };
}

type StatusOfAlert = Pick<Alert, "id" | "status" | "verdict" | "acknowledged_at" | "resolved_at">;

/** The fields after a change by a user. Every status transition is allowed except back to new. */
export function applyAlertPatch(alert: StatusOfAlert, patch: UpdateAlertRequest, by: string, now: Date): AlertFields {
  const { status = alert.status, verdict, ...fields } = patch;
  if (status === "new" && alert.status !== "new") {
    throw new Problem("conflict", `status: alert '${alert.id}' cannot be set back to new`);
  }
  if (status === "false_positive" && (verdict === null || verdict === "true_positive")) {
    throw invalidField("verdict", "must be false_positive or needs_tuning while the status is false_positive");
  }
  return { ...fields, ...statusFields(alert, status, by, now, verdict) };
}

/**
 * Computes the status with its timestamps and verdict. The first change by a person that leaves the alert in another
 * status than new acknowledges it; agents, automations and API keys never do.
 */
export function statusFields(
  alert: StatusOfAlert,
  status: AlertStatus,
  by: string,
  now: Date,
  verdict = impliedVerdict(alert, status),
): AlertFields {
  const isAcknowledging = status !== "new" && alert.acknowledged_at === null && isPerson(by);
  const isNewlyFalse = status === "false_positive" && alert.status !== "false_positive";
  return {
    status,
    ...(isAcknowledging && { acknowledged_at: now, acknowledged_by: by }),
    resolved_at: isFinished(status) ? (alert.resolved_at ?? now) : null,
    ...((isNewlyFalse || verdict !== alert.verdict) && { verdict, verdict_at: verdict === null ? null : now }),
    ...(isNewlyFalse && { suppressed_since_verdict: 0 }),
  };
}

/** The status false_positive implies the verdict. An alert that is worked on again has no verdict. */
function impliedVerdict(alert: StatusOfAlert, status: AlertStatus): Alert["verdict"] {
  if (alert.status === status) return alert.verdict;
  if (status === "false_positive") return "false_positive";
  return alert.status === "false_positive" && !isFinished(status) ? null : alert.verdict;
}

function isFinished(status: AlertStatus): boolean {
  return status === "resolved" || status === "closed" || status === "false_positive";
}

/** A linked alert becomes investigating; a finished alert keeps its status. */
export function linkFields(alert: Alert, case_id: string, by: string, now: Date): AlertFields {
  const status = isFinished(alert.status) ? alert.status : "investigating";
  return { case_id, ...statusFields(alert, status, by, now) };
}

/** The columns that the API returns, with their database types. */
export const ALERT_COLUMN_TYPES = {
  id: "uuid",
  title: "text",
  description: "text",
  source: "text",
  severity: "alert_severity",
  status: "text",
  iocs: "text[]",
  occurrence_count: "integer",
  first_seen: "timestamptz(3)",
  last_seen: "timestamptz(3)",
  event_first_at: "timestamptz(3)",
  event_last_at: "timestamptz(3)",
  reopened_count: "integer",
  reopened_at: "timestamptz(3)",
  case_id: "uuid",
  rule_id: "text",
  log_ids: "text[]",
  mitre_techniques: "text[]",
  host: "text",
  user: "text",
  site: "text",
  entities: "jsonb",
  group: "jsonb",
  risk_score: "double precision",
  assignee: "text",
  acknowledged_at: "timestamptz(3)",
  acknowledged_by: "text",
  resolved_at: "timestamptz(3)",
  resolution: "text",
  verdict: "text",
  verdict_at: "timestamptz(3)",
  suppressed_since_verdict: "integer",
  tags: "text[]",
  created_at: "timestamptz(3)",
  updated_at: "timestamptz(3)",
} as const satisfies Readonly<Record<keyof Alert, string>>;
export const ALERT_COLUMNS = keysOf(ALERT_COLUMN_TYPES);

/** The columns that people change, in one alert or in many at once. */
const PATCHED_COLUMNS = keysOf(UpdateAlertRequest.properties);
/** Adds the columns that depend on them. */
export const CHANGED_COLUMNS = [
  ...PATCHED_COLUMNS,
  ...(["verdict_at", "acknowledged_at", "acknowledged_by"] as const),
  ...(["resolved_at", "suppressed_since_verdict", "updated_at"] as const),
] as const satisfies readonly (keyof Alert)[];

/** Returns what the audit log records of a change. */
export function describeChange(
  previous: Pick<Alert, "status" | "assignee">,
  changed: Pick<Alert, (typeof PATCHED_COLUMNS)[number] | "case_id">,
): Record<string, unknown> {
  return {
    ...Object.fromEntries(PATCHED_COLUMNS.map((column) => [column, changed[column]])),
    ...{ previous_status: previous.status, previous_assignee: previous.assignee, case_id: changed.case_id },
  };
}

function keysOf<Key extends string>(columns: Readonly<Record<Key, unknown>>): readonly Key[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of constants, which have these keys and no others
  return Object.keys(columns) as Key[];
}

const ID = { name: "id", kind: "id" } as const;
const CREATED_AT = { name: "created_at", kind: "instant" } as const;
const COLUMNS = {
  created_at: [CREATED_AT, ID],
  last_seen: [{ name: "last_seen", kind: "instant" }, ID],
  severity: [{ name: "severity", kind: SEVERITIES.toReversed() }, CREATED_AT, ID],
  // Sorts an alert without a risk below all others.
  risk_score: [{ name: "risk_score", kind: "number", ifNull: -1 }, CREATED_AT, ID],
} as const;

export function toOrder(sort: AlertSort = "-created_at"): Order<Alert> {
  switch (sort) {
    case "created_at":
    case "last_seen":
    case "severity":
    case "risk_score":
      return { name: sort, direction: "asc", columns: COLUMNS[sort] };
    case "-created_at":
      return { name: sort, direction: "desc", columns: COLUMNS.created_at };
    case "-last_seen":
      return { name: sort, direction: "desc", columns: COLUMNS.last_seen };
    case "-severity":
      return { name: sort, direction: "desc", columns: COLUMNS.severity };
    case "-risk_score":
      return { name: sort, direction: "desc", columns: COLUMNS.risk_score };
    default:
      return sort satisfies never;
  }
}
