import type { Effect } from "../../foundation/actions/action.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Approval } from "../approvals/approval.ts";

/** Who must agree, where a playbook says more than the platform does. */
export interface ApprovalPolicy {
  /** Whoever asked does not decide. */
  four_eyes?: boolean;
  /** So many different people. */
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
  /** Undefined when the replay names none: those that were approved count. */
  parameters: Record<string, unknown> | undefined;
  alert_id: string | undefined;
  case_id: string | undefined;
  /** What it would do now. Without it nothing is used up: somebody agreed to what he saw, and to nothing else. */
  effect: readonly Effect[] | undefined;
  caller: string;
  execution_id: string;
}

/** What an approval was asked for with. */
export type Approved = Pick<Approval, "parameters" | "alert_id" | "case_id">;

export type ApprovalUseOutcome =
  | { outcome: "pending"; approval: Approval }
  | { outcome: "used"; approval: Approval }
  | { outcome: "before"; execution_id: string };

/** The one gate before critical playbooks, whoever starts them. */
export interface ApprovalGate {
  /** Before a use, outside its transaction. Undefined when the caller cannot use it for this playbook any more. */
  look(use: Pick<ApprovalUse, "approval_id" | "playbook_id" | "caller">): Promise<Approved | undefined>;
  /** A pending approval for this; the requester's earlier pending one for the same effect is answered again. */
  request(tx: Tx, request: PlaybookApprovalRequest): Promise<Approval>;
  /**
   * Uses it up for this execution. Refuses what was rejected, is over, belongs to somebody else, is about something else,
   * or would do something else by now; a requester who repeats it is told which execution it began.
   */
  use(tx: Tx, use: ApprovalUse): Promise<ApprovalUseOutcome>;
  /** Nobody is asked any more, as nothing waits for it. A decision that was quicker stays. */
  withdraw(tx: Tx, approval_id: string, by: string): Promise<void>;
}
