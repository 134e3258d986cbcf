import { Problem } from "@kit/problem";
import type { Approval, Requesters, Starters } from "../../src/response/approvals/approval.ts";
import type { ApprovalGate, GateRequest, StepApprovals } from "../../src/response/approvals/approval-port.ts";

export interface MemoryGate extends ApprovalGate, StepApprovals {
  requests: GateRequest[];
  approve(id: string): void;
}

type ApprovalFields = Omit<GateRequest, "kind" | "policy" | "site" | "missing_inputs"> &
  Pick<Approval, "kind" | "execution_id">;

/** An approval gate in memory, without policies. */
export function createMemoryGate(nextId: () => string): MemoryGate {
  const approvals = new Map<string, Approval & Requesters & Starters>();
  const requests: GateRequest[] = [];

  function keep(fields: ApprovalFields): Approval & Requesters & Starters {
    const approval: Approval & Requesters & Starters = {
      ...fields,
      requesters: [...fields.requesters],
      starters: [...(fields.starters ?? fields.requesters)],
      missing_inputs: [],
      id: nextId(),
      status: "pending",
      effect_hash: "",
      requested_at: new Date(),
      expires_at: new Date(Date.now() + 4 * 3_600_000),
      decided_by: null,
      decided_at: null,
      reason: null,
    };
    approvals.set(approval.id, approval);
    return approval;
  }

  return {
    requests,

    approve(id) {
      const found = approvals.get(id);
      if (found) approvals.set(id, { ...found, status: "approved" });
    },

    async request(_tx, request) {
      const { policy: _, site: __, missing_inputs: ___, ...fields } = request;
      requests.push(request);
      return keep({ ...fields, execution_id: null });
    },

    async requestStep(_tx, { policy: _, started_with: __, ttl_hours: ___, key: ____, ...fields }) {
      return keep({ ...fields, kind: "step", playbook_version: null, parameters: {} });
    },

    async findShown(approval_id) {
      return approvals.get(approval_id)?.effect;
    },

    async look({ approval_id }) {
      return approvals.get(approval_id);
    },

    async withdraw() {
      // A late decision changes nothing here.
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
