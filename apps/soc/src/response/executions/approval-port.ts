import type { Effect } from "../../foundation/actions/action.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Approval } from "../approvals/approval.ts";

/** A playbook's own approval policy; it overrides the platform's. */
export interface ApprovalPolicy {
  /** The requester may not decide. */
  four_eyes?: boolean;
  /** How many different people must approve. */
  quorum?: number;
}

export interface PlaybookApprovalRequest {
  kind: "playbook";
  playbook_id: string;
  playbook_version: number;
  action: string;
  justification: string;
  alert_id: string | null;
  case_id: string | null;
  parameters: Record<string, unknown>;
  effect: readonly Effect[];
  requested_by: string;
  policy?: ApprovalPolicy;
}

export interface ApprovalUse {
  approval_id: string;
  playbook_id: string;
  playbook_version: number;
  /** Undefined when the repeated call names none: the approved values apply. */
  parameters: Record<string, unknown> | undefined;
  alert_id: string | undefined;
  case_id: string | undefined;
  /** What the playbook would do now. Without it the approval is not consumed: it is bound to the shown effect. */
  effect: readonly Effect[] | undefined;
  caller: string;
  execution_id: string;
}

/** The inputs that an approval was requested for. */
export type Approved = Pick<Approval, "parameters" | "alert_id" | "case_id">;

export type ApprovalUseOutcome =
  | { outcome: "pending"; approval: Approval }
  | { outcome: "used"; approval: Approval }
  | { outcome: "before"; execution_id: string };

/** The gate that every start of a critical playbook passes. */
export interface ApprovalGate {
  /** Read before `use`, outside its transaction. Undefined if the caller cannot use the approval for this playbook. */
  look(use: Pick<ApprovalUse, "approval_id" | "playbook_id" | "caller">): Promise<Approved | undefined>;
  /** Returns a pending approval: the requester's existing one for the same effect, or a new one. */
  request(tx: Tx, request: PlaybookApprovalRequest): Promise<Approval>;
  /**
   * Consumes the approval for this execution. Refuses one that was rejected, has expired, belongs to another requester
   * or playbook, or whose effect has changed. A repeated call returns the execution that consumed it.
   */
  use(tx: Tx, use: ApprovalUse): Promise<ApprovalUseOutcome>;
  /** Withdraws an approval that no execution waits for. A decision that was made first stays. */
  withdraw(tx: Tx, approval_id: string, by: string): Promise<void>;
}
