import type { Approval } from "../approvals/approval.ts";
import type { Tx } from "../runtime/changes.service.ts";
import type { Effect } from "./action.ts";

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
  caller: string;
  execution_id: string;
}

export type ApprovalUseOutcome =
  | { outcome: "pending"; approval: Approval }
  | { outcome: "used"; approval: Approval }
  | { outcome: "before"; execution_id: string };

/** The one gate before critical playbooks, whoever starts them. */
export interface ApprovalGate {
  /** A pending approval for this; the requester's earlier pending one for the same effect is answered again. */
  request(tx: Tx, request: PlaybookApprovalRequest): Promise<Approval>;
  /**
   * Uses it up for this execution. Refuses what was rejected, is over, belongs to somebody else, or is about something
   * else; a requester who repeats it is told which execution it began.
   */
  use(tx: Tx, use: ApprovalUse): Promise<ApprovalUseOutcome>;
}
