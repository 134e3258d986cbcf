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

/** A report by a person, a sensor, or a detection rule. */
export interface NewAlert extends CreateAlertRequest {
  rule_id?: string;
  /** The number of occurrences in this report. */
  occurrence_count?: number;
  /**
   * When the newest reported occurrence arrived; now by default. Only an occurrence after the resolution reopens an
   * alert.
   */
  seen_at?: Date;
}

/** The fields of a stored alert that can change. */
export type AlertFields = Partial<Omit<Alert, "id" | "created_at">>;

/** Two reports of the same finding have the same fingerprint. The order of the IOCs does not matter. */
export function fingerprintOf({ title, source, iocs = [] }: Pick<NewAlert, "title" | "source" | "iocs">): string {
  // For a list of texts, JSON.stringify produces the canonical JSON of RFC 8785.
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

/** The fields after a change by a user. Every status transition is allowed except back to new. */
export function applyAlertPatch(alert: Alert, patch: UpdateAlertRequest, by: string, now: Date): AlertFields {
  const { status = alert.status, ...fields } = patch;
  if (status === "new" && alert.status !== "new") {
    throw new Problem("conflict", `status: alert '${alert.id}' cannot return to new by hand`);
  }
  return { ...fields, ...statusFields(alert, status, by, now) };
}

/** The status with its timestamps. The first change from new to another status acknowledges the alert. */
export function statusFields(alert: Alert, status: AlertStatus, by: string, now: Date): AlertFields {
  const isAcknowledged = status === "new" || alert.acknowledged_at !== null;
  return {
    status,
    ...(!isAcknowledged && { acknowledged_at: now, acknowledged_by: by }),
    resolved_at: isFinished(status) ? (alert.resolved_at ?? now) : null,
  };
}

function isFinished(status: AlertStatus): boolean {
  return status === "resolved" || status === "closed" || status === "false_positive";
}

/** A linked alert becomes investigating; a finished alert keeps its status. */
export function linkFields(alert: Alert, case_id: string, by: string, now: Date): AlertFields {
  const status = isFinished(alert.status) ? alert.status : "investigating";
  return { case_id, ...statusFields(alert, status, by, now) };
}

/** The columns that the API returns. */
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

/** Whether the filters select the alert; the same rule as in the database. */
export function isListed(alert: Alert, query: ListAlertsQuery): boolean {
  const titleWords = splitWords(alert.title);
  return (
    EQUAL_FILTERS.every((name) => query[name] === undefined || query[name] === alert[name]) &&
    searchWords(query.q).every((word) => titleWords.some((titleWord) => titleWord.startsWith(word)))
  );
}

/** The words that a title must contain, each as a prefix; empty without a search. */
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
