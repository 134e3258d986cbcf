import type { Effect } from "../../foundation/actions/action.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import { canonicalJson } from "../../foundation/records/canonical-json.ts";
import { sha256Hex } from "../../foundation/records/digest.ts";

export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "timeout"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** `playbook`: to begin one. `step`: to go on inside one. `request`: of an agent, about anything. */
export const APPROVAL_KINDS = ["playbook", "step", "request"] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

export interface Approval {
  id: string;
  kind: ApprovalKind;
  status: ApprovalStatus;
  playbook_id: string | null;
  playbook_version: number | null;
  action: string;
  justification: string;
  case_id: string | null;
  alert_id: string | null;
  parameters: Record<string, unknown>;
  /** What will happen, step by step. */
  effect: readonly Effect[];
  effect_hash: string;
  requested_by: string;
  requested_at: Date;
  expires_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
  reason: string | null;
  /** What it was used for; it is used once. Of a step, the execution that waits. */
  execution_id: string | null;
}

/** Who must agree. A rejection by one ends it in any case. */
export interface ApprovalPolicy {
  /** Whoever asked may not decide. */
  four_eyes: boolean;
  /** So many different people must approve. */
  quorum: number;
}

export type ApprovalRow = Approval & ApprovalPolicy;

export interface Vote {
  decided_by: string;
  approved: boolean;
  reason: string | null;
  decided_at: Date;
}

/** The approval, and who has said what so far. */
export type ApprovalDetail = Approval & { policy: ApprovalPolicy; votes: readonly Vote[] };

export const REMINDER_STAGES = ["first", "second", "escalation"] as const;
export type ReminderStage = (typeof REMINDER_STAGES)[number];

/** What an execution that waited is told. */
export type ApprovalOutcome = Exclude<ApprovalStatus, "pending">;

/** The newest of those that are over; older ones are forgotten. */
export const KEPT_APPROVALS = 100_000;

export const TTL_HOURS = 4;
export const MAX_TTL_HOURS = 7 * 24;

export const NEWEST_FIRST: Order<Approval> = newestFirst("requested_at");

/** What a playbook asks for, else what the platform does. */
export function resolvePolicy(asked: Partial<ApprovalPolicy> | undefined, fourEyes: boolean): ApprovalPolicy {
  return { four_eyes: asked?.four_eyes ?? fourEyes, quorum: asked?.quorum ?? 1 };
}

type Bound = Pick<Approval, "playbook_id" | "playbook_version" | "parameters" | "alert_id" | "case_id" | "effect">;

/** Of what somebody agrees to. With anything changed in it, it is another hash and needs another approval. */
export function effectHashOf(bound: Bound): string {
  const { playbook_id, playbook_version, parameters, alert_id, case_id, effect } = bound;
  return sha256Hex(canonicalJson({ playbook_id, playbook_version, parameters, alert_id, case_id, effect }));
}

/** Of a request in words: the same words about the same case are the same request. */
export function requestHashOf({
  action,
  justification,
  case_id,
}: Pick<Approval, "action" | "justification" | "case_id">) {
  return sha256Hex(canonicalJson({ action, justification, case_id }));
}

/** Of a step: each time it is reached, it is asked anew. */
export function stepHashOf(step: Pick<Approval, "action" | "effect"> & { key: string }): string {
  const { key, action, effect } = step;
  return sha256Hex(canonicalJson({ key, action, effect }));
}
