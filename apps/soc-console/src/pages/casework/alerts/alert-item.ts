import type { AlertParameters } from "./alert-filter.ts";
import type { Alert, AlertGroup, AlertPatch, Grouping } from "./alerts-client.ts";

/** Who decided on an alert that is on the screen, and when. */
export interface Handled {
  by: string;
  at: string;
}

export interface AlertItem {
  kind: "alert";
  key: string;
  alert: Alert;
  /** Inside how many groups it stands. */
  level: number;
  handled?: Handled | undefined;
}

export interface GroupItem {
  kind: "group";
  key: string;
  by: Grouping;
  group: AlertGroup;
  level: number;
  isOpen: boolean;
  isReading: boolean;
  /** Selects the alerts of the group. */
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

/** What a change is for. */
export type Target =
  | { kind: "one"; alert: Alert }
  | { kind: "ids"; ids: readonly string[] }
  | { kind: "filter"; parameters: AlertParameters; exceptIds: readonly string[] };

/** The alert as it will be, before the service has answered. */
export function applyPatch(alert: Alert, patch: AlertPatch): Alert {
  return { ...alert, ...patch, tags: patch.tags ?? alert.tags };
}

/** Whether another person has decided on the alert or taken it, so that it needs no work here. */
export function isHandledBy(before: Alert, after: Alert, me: string): boolean {
  const isClosed = isOpenAlert(before) && !isOpenAlert(after);
  const isTaken = before.assignee !== after.assignee && after.assignee !== null && after.assignee !== me;
  return isClosed || isTaken;
}

export interface Difference {
  field: string;
  before: string;
  after: string;
}

const COMPARED = ["status", "assignee", "severity", "verdict", "resolution", "case_id"] as const;

/** What a preview would change. */
export function listDifferences(before: Alert, after: Alert): Difference[] {
  return COMPARED.filter((field) => before[field] !== after[field]).map((field) => ({
    field,
    before: before[field] ?? "",
    after: after[field] ?? "",
  }));
}

/** The fields of an alert that its list can be narrowed to, each with the value of this alert. */
export function listPivots(alert: Alert): { field: string; value: string }[] {
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

/** What a command asks the user before it acts. */
export type DialogRequest =
  | { kind: "assign" | "severity" | "link"; target: Target }
  | { kind: "promote" | "suppress"; alert: Alert }
  | { kind: "pivot"; alert: Alert; isExclude: boolean }
  | { kind: "confirm"; target: Extract<Target, { kind: "filter" }>; patch: AlertPatch; label: string };

/** Changes the target, by default what is selected or under the cursor. */
export type RequestChange = (patch: AlertPatch, label: string, isDecision: boolean, target?: Target) => Promise<void>;
