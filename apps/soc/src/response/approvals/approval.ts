import { canonicalJson } from "@kit/query/canonical-json";
import { type Effect, toBoundEffect } from "../../foundation/actions/action.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import { sha256Hex } from "../../foundation/records/digest.ts";
import type { PlaybookInput } from "../playbooks/playbook.ts";

export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "timeout"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/**
 * `playbook`: start a playbook. `step`: continue inside an execution. `request`: a free-text request of an agent.
 * `action`: a single action outside of a playbook.
 */
export const APPROVAL_KINDS = ["playbook", "step", "request", "action"] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** A required input of a playbook that has no value yet. */
export type MissingInput = Pick<PlaybookInput, "name" | "type" | "description">;

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
  /** The decision or the call that uses the approval sets them. */
  missing_inputs: readonly MissingInput[];
  /** The effect of each step. */
  effect: readonly Effect[];
  effect_hash: string;
  requested_by: string;
  requested_at: Date;
  expires_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
  reason: string | null;
  /**
   * The execution or endpoint action that used the approval, which is possible once. For a step, the execution that
   * waits for it.
   */
  execution_id: string | null;
}

/** Who must approve. A single rejection always ends the approval. */
export interface ApprovalPolicy {
  /** Requesters must not decide. */
  four_eyes: boolean;
  /** How many different people must approve. */
  quorum: number;
}

/** Everyone who counts as a requester: the caller, and the authors of the requested content. */
export interface Requesters {
  requesters: string[];
}

/** The people who started something: the requesters without those who only wrote the playbook. */
export interface Starters {
  /** Null for approvals of the former release, whose requesters all count. */
  starters: string[] | null;
}

/** The site of the single endpoint or device concerned. Only callers of all sites see other approvals. */
export interface ApprovalSite {
  site: string | null;
}

export type ApprovalRow = Approval & ApprovalPolicy & Requesters & Starters & ApprovalSite;

export interface Vote {
  decided_by: string;
  approved: boolean;
  reason: string | null;
  decided_at: Date;
}

/** The approval with its policy, its requesters and the votes so far. */
export type ApprovalDetail = Approval & Requesters & { policy: ApprovalPolicy; votes: readonly Vote[] };

export const REMINDER_STAGES = ["first", "second", "escalation"] as const;
export type ReminderStage = (typeof REMINDER_STAGES)[number];

/** The outcome passed to the waiting execution. */
export type ApprovalOutcome = Exclude<ApprovalStatus, "pending">;

/** The number of finished approvals to keep; older ones are deleted. */
export const KEPT_APPROVALS = 100_000;

export const TTL_HOURS = 4;
export const MAX_TTL_HOURS = 7 * 24;

export const NEWEST_FIRST: Order<Approval> = newestFirst("requested_at");

/** Returns the playbook's policy. A playbook can add four eyes, but never disable those of the platform. */
export function resolvePolicy(asked: Partial<ApprovalPolicy> | undefined, fourEyes: boolean): ApprovalPolicy {
  return { four_eyes: fourEyes || (asked?.four_eyes ?? false), quorum: asked?.quorum ?? 1 };
}

/** Lists each person once in a fixed order, because the hash contains them. */
export function listRequesters(requested_by: string, others: readonly string[]): string[] {
  return [...new Set([requested_by, ...others])].toSorted();
}

type BoundFields = Pick<
  Approval,
  "playbook_id" | "playbook_version" | "parameters" | "alert_id" | "case_id" | "effect"
> &
  Requesters;

/** Hashes exactly what is approved: if any part changes, the hash changes and a new approval is needed. */
export function effectHashOf(bound: BoundFields): string {
  const { playbook_id, playbook_version, parameters, alert_id, case_id, effect, requesters } = bound;
  const what = { playbook_id, playbook_version, parameters, alert_id, case_id, effect: effect.map(toBoundEffect) };
  // Approvals of earlier releases only contain the caller, and their hash has no requesters.
  return sha256Hex(canonicalJson(requesters.length === 0 ? what : { ...what, requesters }));
}

/** Identifies a free-text request: the same text about the same case is the same request. */
export function requestHashOf({
  action,
  justification,
  case_id,
}: Pick<Approval, "action" | "justification" | "case_id">) {
  return sha256Hex(canonicalJson({ action, justification, case_id }));
}

/** The key makes the hash unique per run of the step, because each run needs its own approval. */
export function stepHashOf(step: Pick<Approval, "action" | "effect"> & { key: string }): string {
  const { key, action, effect } = step;
  return sha256Hex(canonicalJson({ key, action, effect: effect.map(toBoundEffect) }));
}
