import type { Effect } from "../../foundation/actions/action.ts";
import type { Scope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Approval, MissingInput, Requesters, Starters } from "./approval.ts";

/** The approval policy of a playbook. It can be stricter than the platform's, never weaker. */
export interface ApprovalPolicy {
  /** Requesters must not decide. */
  four_eyes?: boolean;
  /** How many different people must approve. */
  quorum?: number;
}

/** A request for a playbook, or for a single action outside of a playbook, which has no playbook id and version. */
export interface GateRequest {
  kind: "playbook" | "action";
  playbook_id: string | null;
  playbook_version: number | null;
  action: string;
  justification: string;
  alert_id: string | null;
  case_id: string | null;
  /** The site that the request concerns; null means that only callers of all sites see it. */
  site: string | null;
  parameters: Record<string, unknown>;
  /** The required inputs of a playbook that the decision or the use sets. */
  missing_inputs?: readonly MissingInput[];
  effect: readonly Effect[];
  requested_by: string;
  /** Additional people who count as requesters, such as the author of the playbook. */
  requesters: readonly string[];
  /** Those of them who started something; all if undefined. */
  starters?: readonly string[] | undefined;
  policy?: ApprovalPolicy;
}

/** A request for the effect of one step of a running execution. */
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
  /** Those of them who started something; all if undefined. */
  starters?: readonly string[] | undefined;
  policy?: ApprovalPolicy | undefined;
  /** The approval that started the execution; its policy also applies to the step. */
  started_with?: string | null;
}

/** Approvals for single steps. */
export interface StepApprovals {
  /** Requests an approval for a step; its execution waits for the decision. */
  requestStep(tx: Tx, request: StepRequest): Promise<Approval>;
  /** Returns the effects that the approval showed. */
  findShown(approval_id: string): Promise<readonly Effect[] | undefined>;
}

/** The missing inputs that a call sets, and the resulting approved content. */
export interface SetInputs extends Pick<Approval, "parameters" | "effect" | "missing_inputs"> {
  inputs: Record<string, unknown>;
}

/** Inputs that a decision sets. `shown` is the current effect without them. */
export interface DecidedInputs extends SetInputs {
  shown: readonly Effect[];
}

export interface ApprovalUse {
  approval_id: string;
  kind: GateRequest["kind"];
  playbook_id: string | null;
  playbook_version: number | null;
  /** Undefined if the repeated call names none; the approved values then apply. */
  parameters: Record<string, unknown> | undefined;
  alert_id: string | undefined;
  case_id: string | undefined;
  /** The current effect. If undefined, the approval is not consumed, because it is bound to the shown effect. */
  effect: readonly Effect[] | undefined;
  /** The missing inputs that the call sets; `effect` is the effect without them. */
  inputs?: SetInputs | undefined;
  /** Any caller of its scope may use it, except with four eyes a person who decided it. */
  caller: string;
  scope: Scope;
  /** The id of the execution or action that uses the approval. */
  execution_id: string;
}

/** The inputs that an approval was requested for. */
export type ApprovedInputs = Pick<
  Approval,
  "status" | "parameters" | "missing_inputs" | "alert_id" | "case_id" | "requested_by"
>;

export type ApprovalUseOutcome =
  | { outcome: "pending"; approval: Approval }
  | { outcome: "used"; approval: Approval & Requesters & Starters }
  | { outcome: "before"; execution_id: string };

/** The gate for every start of a critical playbook and for critical actions outside of playbooks. */
export interface ApprovalGate {
  /**
   * Returns the approval before `use`, outside its transaction. Undefined if the caller cannot use it for this purpose.
   */
  look(use: Pick<ApprovalUse, "approval_id" | "kind" | "playbook_id" | "scope">): Promise<ApprovedInputs | undefined>;
  /** Returns a pending approval: the requester's existing one for the same effect, or a new one. */
  request(tx: Tx, request: GateRequest): Promise<Approval>;
  /**
   * Consumes the approval and sets the missing inputs. Throws if the approval was rejected, has expired, is for another playbook
   * or scope, or if the effect has changed. A repeated call returns the execution or action that consumed it.
   */
  use(tx: Tx, use: ApprovalUse): Promise<ApprovalUseOutcome>;
  /** Withdraws an approval that no execution waits for. An earlier decision stays. */
  withdraw(tx: Tx, approval_id: string, by: string): Promise<void>;
}
