import { createHash } from "node:crypto";
import { invalidField, Problem } from "@kit/problem";
import type { Static } from "typebox";
import type { Order } from "../../foundation/lists/order.ts";
import {
  type AlertBody,
  type AlertSort,
  type AlertStatus,
  type CreateAlertRequest,
  type ListAlertsQuery,
  SEVERITIES,
  type UpdateAlertRequest,
} from "./alerts.schema.ts";

export type Alert = Static<typeof AlertBody>;

export interface AlertRow extends Alert {
  fingerprint: string;
}

/** What somebody reports: a person, a sensor, or a rule of ours. */
export interface NewAlert extends CreateAlertRequest {
  rule_id?: string;
  /** How often the thing was seen, when one report tells of several times. */
  occurrence_count?: number;
  /** When the newest thing that is reported came in; now, unless it is told. Only what is newer than a resolution reopens. */
  seen_at?: Date;
}

/** What may be different about an alert after it was stored. */
export type AlertFields = Partial<Omit<Alert, "id" | "created_at">>;

/** Two reports of the same thing share a fingerprint. The order in which a sensor lists its IOCs is noise. */
export function fingerprintOf({ title, source, iocs = [] }: Pick<NewAlert, "title" | "source" | "iocs">): string {
  // Of a list of texts, JSON.stringify writes the canonical JSON of RFC 8785.
  return createHash("sha256")
    .update(JSON.stringify([title, source, iocs.toSorted()]))
    .digest("hex");
}

export function buildAlert(report: NewAlert, id: string, now: Date): AlertRow {
  const { title, source, severity = "medium", iocs = [], log_ids = [], mitre_techniques = [], tags = [] } = report;
  return {
    id,
    fingerprint: fingerprintOf(report),
    title,
    description: report.description ?? null,
    source,
    severity,
    status: "new",
    iocs,
    occurrence_count: report.occurrence_count ?? 1,
    first_seen: report.seen_at ?? now,
    last_seen: report.seen_at ?? now,
    reopened_count: 0,
    case_id: null,
    rule_id: report.rule_id ?? null,
    log_ids,
    mitre_techniques,
    host: report.host ?? null,
    user: report.user ?? null,
    site: report.site ?? null,
    risk_score: report.risk_score ?? null,
    assignee: report.assignee ?? null,
    acknowledged_at: null,
    acknowledged_by: null,
    resolved_at: null,
    resolution: null,
    verdict: null,
    tags,
    created_at: now,
    updated_at: now,
  };
}

/** What a change by hand makes of the fields. Any status may follow any, but nothing returns to new. */
export function applyAlertPatch(alert: Alert, patch: UpdateAlertRequest, by: string, now: Date): AlertFields {
  const { status = alert.status, ...fields } = patch;
  if (status === "new" && alert.status !== "new") {
    throw new Problem("conflict", `status: alert '${alert.id}' cannot return to new by hand`);
  }
  return { ...fields, ...statusFields(alert, status, by, now) };
}

/** The status with the times that tell of it. The first to take an alert out of new has acknowledged it. */
export function statusFields(alert: Alert, status: AlertStatus, by: string, now: Date): AlertFields {
  const isAcknowledged = status === "new" || alert.acknowledged_at !== null;
  return {
    status,
    ...(!isAcknowledged && { acknowledged_at: now, acknowledged_by: by }),
    resolved_at: isOver(status) ? (alert.resolved_at ?? now) : null,
  };
}

function isOver(status: AlertStatus): boolean {
  return status === "resolved" || status === "closed" || status === "false_positive";
}

/** A linked alert is being looked into; one that is over stays over. */
export function linkFields(alert: Alert, case_id: string, by: string, now: Date): AlertFields {
  const status = isOver(alert.status) ? alert.status : "investigating";
  return { case_id, ...statusFields(alert, status, by, now) };
}

/** All that is stored of an alert and told of it. */
export const ALERT_COLUMNS = [
  "id",
  "title",
  "description",
  "source",
  "severity",
  "status",
  "iocs",
  "occurrence_count",
  "first_seen",
  "last_seen",
  "reopened_count",
  "case_id",
  "rule_id",
  "log_ids",
  "mitre_techniques",
  "host",
  "user",
  "site",
  "risk_score",
  "assignee",
  "acknowledged_at",
  "acknowledged_by",
  "resolved_at",
  "resolution",
  "verdict",
  "tags",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Alert)[];

const ID = { name: "id", kind: "id" } as const;
const CREATED_AT = { name: "created_at", kind: "instant" } as const;
const COLUMNS = {
  created_at: [CREATED_AT, ID],
  last_seen: [{ name: "last_seen", kind: "instant" }, ID],
  severity: [{ name: "severity", kind: SEVERITIES.toReversed() }, CREATED_AT, ID],
} as const;

export function toOrder(sort: AlertSort = "-created_at"): Order<Alert> {
  switch (sort) {
    case "created_at":
    case "last_seen":
    case "severity":
      return { name: sort, direction: "asc", columns: COLUMNS[sort] };
    case "-created_at":
      return { name: sort, direction: "desc", columns: COLUMNS.created_at };
    case "-last_seen":
      return { name: sort, direction: "desc", columns: COLUMNS.last_seen };
    case "-severity":
      return { name: sort, direction: "desc", columns: COLUMNS.severity };
    default:
      return sort satisfies never;
  }
}

export const EQUAL_FILTERS = ["severity", "status", "source", "assignee", "case_id"] as const;

/** Whether a list with these filters shows the alert; the same rule that the database applies. */
export function isListed(alert: Alert, query: ListAlertsQuery): boolean {
  const titleWords = splitWords(alert.title);
  return (
    EQUAL_FILTERS.every((name) => query[name] === undefined || query[name] === alert[name]) &&
    searchWords(query.q).every((word) => titleWords.some((titleWord) => titleWord.startsWith(word)))
  );
}

/** The words that a title must have, each at least as a beginning; none when nothing is searched. */
export function searchWords(q: string | undefined): string[] {
  const words = splitWords(q ?? "");
  if (q !== undefined && words.length === 0) throw invalidField("q", "must have a letter or a digit");
  return words;
}

function splitWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s\p{Cc}!-/:-@[-`{-~]+/u)
    .filter((word) => word !== "");
}
