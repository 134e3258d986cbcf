import { findDifferences } from "../../../app/changes/find-differences.ts";
import type { AlertParameters } from "./alert-filter.ts";
import type { Alert, AlertGroup, AlertPatch, Grouping } from "./alerts-client.ts";

/** Who decided on a visible alert, and when. */
export interface AlertDecision {
  by: string;
  at: string;
}

export interface AlertItem {
  kind: "alert";
  key: string;
  alert: Alert;
  /** Depth in the groups. */
  level: number;
  handled?: AlertDecision | undefined;
}

export interface GroupItem {
  kind: "group";
  key: string;
  by: Grouping;
  group: AlertGroup;
  level: number;
  isOpen: boolean;
  isReading: boolean;
  /** A filter for the alerts of the group. */
  parameters: AlertParameters;
}

export type ListItem = AlertItem | GroupItem;

export const readItemKey = ({ key }: ListItem) => key;

export function toItem(alert: Alert, level = 0): AlertItem {
  return { kind: "alert", key: alert.id, alert, level };
}

const OPEN_STATUSES: ReadonlySet<string> = new Set(["new", "triaged", "investigating"]);

export function isOpenAlert({ status }: Pick<Alert, "status">): boolean {
  return OPEN_STATUSES.has(status);
}

/** The targets of a change. */
export type Target =
  | { kind: "one"; alert: Alert }
  | { kind: "ids"; ids: readonly string[] }
  | { kind: "filter"; parameters: AlertParameters; exceptIds: readonly string[] };

/** The expected alert, shown before the service responds. */
export function applyPatch<Known extends Pick<Alert, "tags">>(alert: Known, patch: AlertPatch) {
  return { ...alert, ...patch, tags: patch.tags ?? alert.tags };
}

type Handling = Pick<Alert, "status" | "assignee">;

/** Whether another user decided on the alert or took it, so that it needs no work here. */
export function isHandledBy(before: Handling, after: Handling, me: string): boolean {
  const isClosed = isOpenAlert(before) && !isOpenAlert(after);
  const isTaken = before.assignee !== after.assignee && after.assignee !== null && after.assignee !== me;
  return isClosed || isTaken;
}

type Decided = Partial<Pick<Alert, keyof AlertPatch | "case_id">>;

export interface Difference {
  field: string;
  before: string;
  after: string;
}

/** What people decide about an alert: its case, and every field that a change can name. */
const COMPARED: Readonly<Record<keyof AlertPatch | "case_id", true>> = {
  status: true,
  assignee: true,
  severity: true,
  verdict: true,
  resolution: true,
  tags: true,
  case_id: true,
};

/** The fields that a preview would change, or that another user changed. */
export function listDifferences(before: Decided, after: Decided): Difference[] {
  return findDifferences(before, after)
    .filter(({ name }) => name in COMPARED)
    .map(({ name, ...values }) => ({ field: name, ...values }));
}

type PivotField = "host" | "user" | "rule_id" | "severity" | "status" | "source" | "site" | "assignee";

/** The fields of an alert that its list can be narrowed to, with the values of this alert. */
export function listPivots(alert: Pick<Alert, PivotField | "mitre_techniques">): { field: string; value: string }[] {
  const [technique] = alert.mitre_techniques;
  const pivots: [string, string | null | undefined][] = [
    ["host", alert.host],
    ["user", alert.user],
    ["rule_id", alert.rule_id],
    ["technique", technique],
    ["severity", alert.severity],
    ["status", alert.status],
    ["source", alert.source],
    ["site", alert.site],
    ["assignee", alert.assignee ?? "none"],
  ];
  return pivots.flatMap(([field, value]) => (value ? [{ field, value }] : []));
}

/** The question that a command asks the user first. */
export type DialogRequest =
  | { kind: "assign" | "severity" | "link"; target: Target }
  | { kind: "promote" | "suppress"; alert: Alert }
  | { kind: "pivot"; alert: Alert; isExclude: boolean }
  | { kind: "confirm"; target: Extract<Target, { kind: "filter" }>; patch: AlertPatch; label: string };

/** Changes the targets. Default: the selection, or the row under the cursor. */
export type RequestChange = (patch: AlertPatch, label: string, isDecision: boolean, target?: Target) => Promise<void>;
