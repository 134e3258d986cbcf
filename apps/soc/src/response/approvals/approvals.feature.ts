import type { Base } from "../../foundation/base.ts";
import type { Count } from "../../foundation/counts.ts";
import { createGate } from "./approval-gate.ts";
import { createApprovalActions } from "./approvals.actions.ts";
import { approvalsRoutes } from "./approvals.routes.ts";
import { type ApprovalsServiceDeps, createApprovalsService } from "./approvals.service.ts";
import { createShowcaseApprovalsStore } from "./approvals.showcase.ts";
import { createApprovalsStore } from "./approvals.store.ts";
import { createApprovalsWorker } from "./approvals.worker.ts";
import { createDeadlinesService } from "./deadlines.service.ts";

export interface GateNeeds {
  /** Whether the requester is barred from deciding. */
  fourEyes: boolean;
}

export interface ApprovalsNeeds {
  executions: ApprovalsServiceDeps["executions"];
}

const PENDING: Count<number> = {
  stored: async (tx) => (await createApprovalsStore(tx).list({ limit: 1 })).total,
  shown: ({ approvals }) => approvals.filter(({ status }) => status === "pending").length,
};

/** The gate that every critical playbook must pass. */
export function createApprovalGate({ db, audit, ids }: Base, { fourEyes }: GateNeeds) {
  const gate = createGate({ db, audit, ids, fourEyes });
  return { gate, actions: createApprovalActions(gate), count: PENDING };
}

export function createApprovals(base: Base, { executions }: ApprovalsNeeds) {
  const { db, runtime, changes, audit, clock, log } = base;
  const approvals = createApprovalsService({
    runtime,
    stores: base.sources(createApprovalsStore, (showcase) => createShowcaseApprovalsStore(showcase.approvals)),
    executions,
    audit,
  });
  return {
    approvals,
    routes: [approvalsRoutes(approvals, changes)],
    readers: { approval: ["approvals:manage"] as const },
    createWork: () => ({
      background: () => [
        createApprovalsWorker({
          db,
          deadlines: createDeadlinesService({ executions, audit }),
          isAllowed: async () => (await runtime.truth()).is_internal_workflows_allowed,
          clock,
          log,
        }),
      ],
    }),
  };
}
