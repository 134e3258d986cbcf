import { invalidField, Problem } from "@kit/problem";
import { SEVERITIES, type Severity } from "../../alerts/alerts/alerts.schema.ts";
import type { Order } from "../../foundation/lists/order.ts";
import { updatedAt } from "../../foundation/records/if-match.ts";
import type { Sla } from "../case-sla/sla.ts";
import type { ItemType, TaskSort, TaskStatus } from "./case-items.schema.ts";
import type { CaseSort, CaseStatus } from "./cases.schema.ts";

export interface Case {
  id: string;
  title: string;
  description: string;
  severity: Severity;
  status: CaseStatus;
  assignee: string | null;
  requires_human_approval: boolean;
  due_at: Date | null;
  mitre_techniques: string[];
  tags: string[];
  /** Absent where it is not shown. */
  sla?: Sla;
  /** The template that the case was opened with. */
  template_id: string | null;
  /** The case that holds the records since a merge. */
  merged_into: string | null;
  closed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface TimelineEntry {
  agent: string;
  action: string;
  timestamp: Date;
}

export interface Observable {
  id: string;
  type: string;
  value: string;
  source: string | null;
  tags: string[];
  context: object;
  created_at: Date;
  edited_at: Date | null;
}

/** An entry as sent, with the recording caller and time. */
export interface CustodyEntry {
  [field: string]: unknown;
  action: string;
  location: string | null;
  notes: string | null;
  actor: unknown;
  timestamp: unknown;
  recorded_by: string;
  recorded_at: Date;
}

export interface NewEvidence {
  id: string;
  name: string;
  evidence_type: string;
  storage_url: string | null;
  sha256: string | null;
  location: string | null;
  /** The case whose chain has the entries from before a merge. */
  registered_in: string | null;
  created_at: Date;
}

export interface Evidence extends NewEvidence {
  /** The newest entries in chronological order. */
  custody_entries: CustodyEntry[];
  custody_total: number;
}

export interface Comment {
  id: string;
  author: string;
  body: string;
  created_at: Date;
  edited_at: Date | null;
}

export interface Task {
  id: string;
  title: string;
  status: TaskStatus;
  assignee: string | null;
  /** Lowest first; null sorts last. */
  position: number | null;
  created_at: Date;
  updated_at: Date;
}

/** The version of a case item before a change. */
export interface ItemVersion {
  /** Increases with each change. */
  id: number;
  item_type: ItemType;
  item_id: string;
  change: "edited" | "removed";
  item: object;
  changed_by: string;
  changed_at: Date;
}

/** A case with all its items, as in the showcase; each list is in chronological order. */
export interface WholeCase extends Case {
  timeline: TimelineEntry[];
  observables: Observable[];
  evidence: Evidence[];
  comments: Comment[];
  tasks: Task[];
}

/** A case as the API returns it: the newest items of each list, newest first, with the totals. */
export interface CaseDetail extends WholeCase {
  merged_from: string[];
  totals: Record<"timeline" | "observables" | "evidence" | "comments" | "tasks", number>;
}

/** Added to the timeline of an agent's case when a person promotes its alert. */
export const ADOPTED = "adopted from an agent";

/** Assignees in a filter: the caller, and cases without an assignee. */
export const ME = "me";
export const NO_ASSIGNEE = "none";

/** The filters of the list that take several values. */
export const CASE_FILTERS = ["status", "severity", "assignee"] as const;
export const SEVERAL_VALUES = [...CASE_FILTERS, "tag"] as const;

export const CASE_FIELDS = [
  "title",
  "severity",
  "status",
  "description",
  "assignee",
  "requires_human_approval",
  "due_at",
  "mitre_techniques",
  "tags",
] as const satisfies readonly (keyof Case)[];
export type CasePatch = Partial<Pick<Case, (typeof CASE_FIELDS)[number]>>;

/** Returns the field by which a patch ends the wait for an approval. */
export function findWaived(current: Case, patch: CasePatch): "status" | "requires_human_approval" | undefined {
  const next = { ...current, ...patch };
  if (current.status === "pending_approval" && next.status !== "pending_approval") return "status";
  return current.requires_human_approval && !next.requires_human_approval ? "requires_human_approval" : undefined;
}

export function patchCase(current: Case, patch: CasePatch, now: Date): Case {
  const next = { ...current, ...patch };
  const closed_at = next.status === "closed" ? (current.closed_at ?? now) : null;
  return { ...next, closed_at, updated_at: updatedAt(current, now) };
}

/** Throws if the case was merged: its records are in another case. */
export function requireUnmerged({ id, merged_into }: Pick<Case, "id" | "merged_into">): void {
  if (merged_into === null) return;
  throw new Problem("conflict", `case '${id}' was merged into '${merged_into}'`, { code: "case_merged" });
}

/** The schema accepts leap seconds, which a Date cannot represent. */
export function parseTime(field: string, text: string | null): Date | null {
  if (text === null) return null;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalidField(field, `'${text}' is not a valid time`);
  return time;
}

/** The columns that the API returns, without the search column. */
export const CASE_COLUMNS = [
  "id",
  "title",
  "description",
  "severity",
  "status",
  "assignee",
  "requires_human_approval",
  "due_at",
  "mitre_techniques",
  "tags",
  "template_id",
  "merged_into",
  "closed_at",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Case)[];

const ID = { name: "id", kind: "id" } as const;
const CREATED_AT = { name: "created_at", kind: "instant" } as const;
const COLUMNS = {
  created_at: [CREATED_AT, ID],
  updated_at: [{ name: "updated_at", kind: "instant" }, ID],
  severity: [{ name: "severity", kind: SEVERITIES.toReversed() }, CREATED_AT, ID],
} as const;

export function toOrder(sort: CaseSort = "-created_at"): Order<Case> {
  switch (sort) {
    case "created_at":
    case "updated_at":
    case "severity":
      return { name: sort, direction: "asc", columns: COLUMNS[sort] };
    case "-created_at":
      return { name: sort, direction: "desc", columns: COLUMNS.created_at };
    case "-updated_at":
      return { name: sort, direction: "desc", columns: COLUMNS.updated_at };
    case "-severity":
      return { name: sort, direction: "desc", columns: COLUMNS.severity };
    default:
      return sort satisfies never;
  }
}

/** The order of each list in a case: newest first. Ids increase with time. */
export function newestItemsFirst(name: "observables" | "evidence" | "comments" | "tasks"): Order<{ id: string }> {
  return { name, direction: "desc", columns: [ID] };
}

const NO_POSITION = 1_000_000_000;

export function toTaskOrder(sort: TaskSort | undefined): Order<Pick<Task, "id" | "position">> {
  if (sort === undefined) return newestItemsFirst("tasks");
  return { name: sort, direction: "asc", columns: [{ name: sort, kind: "number", ifNull: NO_POSITION }, ID] };
}

/** Returns the time of the last change as the version for If-Match. */
export function toVersion({ created_at, edited_at }: Pick<Comment, "created_at" | "edited_at">) {
  return { updated_at: edited_at ?? created_at };
}
