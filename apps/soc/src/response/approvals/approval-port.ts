import type { Effect } from "../../foundation/actions/action.ts";
import type { Scope } from "../../foundation/caller/scope.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Approval, MissingInput, Requesters } from "./approval.ts";

/** A playbook's own approval policy; it can demand more than the platform's, never less. */
export interface ApprovalPolicy {
  /** No requester may decide. */
  four_eyes?: boolean;
  /** How many different people must approve. */
  quorum?: number;
}

/** A playbook, or a single action outside of a playbook, which has no playbook id and version. */
export interface GateRequest {
  kind: "playbook" | "action";
  playbook_id: string | null;
  playbook_version: number | null;
  action: string;
  justification: string;
  alert_id: string | null;
  case_id: string | null;
  /** The site of what it is about; null: only callers of all sites see it. */
  site: string | null;
  parameters: Record<string, unknown>;
  /** Of a playbook: the required inputs that the decision or the use sets. */
  missing_inputs?: readonly MissingInput[];
  effect: readonly Effect[];
  requested_by: string;
  /** The others who count as requesters, such as the author of the playbook. */
  requesters: readonly string[];
  policy?: ApprovalPolicy;
}

/** The effect of one step of a running execution, which a person must approve. */
export interface StepRequest {
  playbook_id: string;
  execution_id: string;
  alert_id: string | null;
  case_id: string | null;
  action: string;
  justification: string;
  ttl_hours?: number | undefined;
  /** The step's idempotency key. */
  key: string;
  effect: readonly Effect[];
  requested_by: string;
  /** Everyone who counts as a requester of the execution. */
  requesters: readonly string[];
  policy?: ApprovalPolicy | undefined;
  /** The approval that started the execution: its policy also holds for the step. */
  started_with?: string | null;
}

/** Approvals for single steps. */
export interface StepApprovals {
  /** An approval for a step; its execution waits for the decision. */
  requestStep(tx: Tx, request: StepRequest): Promise<Approval>;
  /** What the approval showed. */
  findShown(approval_id: string): Promise<readonly Effect[] | undefined>;
}

/** The missing inputs of an approval that a call sets, and what the approval is bound to then. */
export interface SetInputs extends Pick<Approval, "parameters" | "effect" | "missing_inputs"> {
  inputs: Record<string, unknown>;
}

/** Inputs that a decision sets. `shown`: what the approval shows without them, as it is now. */
export interface DecidedInputs extends SetInputs {
  shown: readonly Effect[];
}

export interface ApprovalUse {
  approval_id: string;
  kind: GateRequest["kind"];
  playbook_id: string | null;
  playbook_version: number | null;
  /** Undefined when the repeated call names none: the approved values apply. */
  parameters: Record<string, unknown> | undefined;
  alert_id: string | undefined;
  case_id: string | undefined;
  /** What would be done now. Without it the approval is not consumed: it is bound to the shown effect. */
  effect: readonly Effect[] | undefined;
  /** The missing inputs that the call sets; `effect` is what the approval shows without them. */
  inputs?: SetInputs | undefined;
  /** Any caller of its scope may use it. With four eyes, a person who decided it may not. */
  caller: string;
  scope: Scope;
  /** What uses it: the id of the execution or of the action. */
  execution_id: string;
}

/** The inputs that an approval was requested for. */
export type Approved = Pick<
  Approval,
  "status" | "parameters" | "missing_inputs" | "alert_id" | "case_id" | "requested_by"
>;

export type ApprovalUseOutcome =
  | { outcome: "pending"; approval: Approval }
  | { outcome: "used"; approval: Approval & Requesters }
  | { outcome: "before"; execution_id: string };

/** The gate that every start of a critical playbook passes, and critical actions outside of playbooks. */
export interface ApprovalGate {
  /** Read before `use`, outside its transaction. Undefined if the caller cannot use the approval for this. */
  look(use: Pick<ApprovalUse, "approval_id" | "kind" | "playbook_id" | "scope">): Promise<Approved | undefined>;
  /** Returns a pending approval: the requester's existing one for the same effect, or a new one. */
  request(tx: Tx, request: GateRequest): Promise<Approval>;
  /**
   * Consumes the approval. Refuses one that was rejected, has expired, is for another playbook or scope, or
   * whose effect has changed; sets the missing inputs. A repeated call returns the execution or the action that consumed it.
   */
  use(tx: Tx, use: ApprovalUse): Promise<ApprovalUseOutcome>;
  /** Withdraws an approval that no execution waits for. A decision that was made first stays. */
  withdraw(tx: Tx, approval_id: string, by: string): Promise<void>;
}
