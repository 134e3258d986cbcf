import { Problem } from "@kit/problem";
import type { Approval } from "../../src/response/approvals/approval.ts";
import type { ApprovalGate, PlaybookApprovalRequest } from "../../src/response/executions/approval-port.ts";

export interface MemoryGate extends ApprovalGate {
  requests: PlaybookApprovalRequest[];
  approve(id: string): void;
}

/** An approval gate in memory, without policies. */
export function createMemoryGate(nextId: () => string): MemoryGate {
  const approvals = new Map<string, Approval>();
  const requests: PlaybookApprovalRequest[] = [];
  return {
    requests,

    approve(id) {
      const found = approvals.get(id);
      if (found) approvals.set(id, { ...found, status: "approved" });
    },

    async request(_tx, request) {
      const { policy: _, ...fields } = request;
      requests.push(request);
      const approval: Approval = {
        ...fields,
        id: nextId(),
        status: "pending",
        effect_hash: "",
        requested_at: new Date(),
        expires_at: new Date(Date.now() + 4 * 3_600_000),
        decided_by: null,
        decided_at: null,
        reason: null,
        execution_id: null,
      };
      approvals.set(approval.id, approval);
      return approval;
    },

    async look({ approval_id }) {
      return approvals.get(approval_id);
    },

    async withdraw() {
      // Steps request no approvals here.
    },

    async use(_tx, { approval_id, execution_id, playbook_id }) {
      const approval = approvals.get(approval_id);
      if (!approval || approval.playbook_id !== playbook_id) {
        throw new Problem("conflict", `approval_id: '${approval_id}' is not for this`);
      }
      if (approval.execution_id !== null) return { outcome: "before", execution_id: approval.execution_id };
      if (approval.status === "pending") return { outcome: "pending", approval };
      const used = { ...approval, execution_id };
      approvals.set(approval_id, used);
      return { outcome: "used", approval: used };
    },
  };
}
