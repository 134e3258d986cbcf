import type { Base, Count, Registrations } from "../../foundation/base.ts";
import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { HeldDecision, HoldChange, SettleChange } from "../../foundation/held-changes.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { FindAccountLinks } from "../../identity/module.ts";
import type { Approval } from "./approval.ts";
import { createGate } from "./approval-gate.ts";
import { createApprovalActions } from "./approvals.actions.ts";
import { approvalsRoutes } from "./approvals.routes.ts";
import {
  type ApprovalsServiceDeps,
  createApprovalsService,
  type DecidedCases,
  type FindKeyPeople,
} from "./approvals.service.ts";
import { createApprovalsStore, createApprovalsWriter, createShowcaseApprovalsStore } from "./approvals.store.ts";
import { createApprovalsWorker } from "./approvals.worker.ts";
import { createDeadlinesService } from "./deadlines.service.ts";
import { createDemoApprovals, type DescribeDemo } from "./demo-approval.ts";

export interface GateNeeds {
  /** Whether requesters are barred from deciding. */
  fourEyes: boolean;
}

export interface ApprovalsNeeds {
  executions: ApprovalsServiceDeps["executions"];
  decisions: DecidedCases;
  findKeyPeople: FindKeyPeople;
  findAccountLinks: FindAccountLinks;
  /** Each settles its own changes. */
  held: readonly { settle: SettleChange }[];
  describeDemo: DescribeDemo;
  fourEyes: boolean;
}

const PENDING: Count<number> = {
  stored: async (tx) => (await createApprovalsStore(tx).list(ALL_SITES, { limit: 1 })).total,
  shown: ({ approvals }) => approvals.filter(({ status }) => status === "pending").length,
};

/** Finds an open approval for the cases, which are created earlier. An expired approval is not open. */
export async function findOpenApproval(tx: Tx, case_ids: readonly string[]): Promise<string | undefined> {
  return case_ids.length === 0 ? undefined : createApprovalsWriter(tx).findOpen(case_ids);
}

/** The gate that every critical playbook must pass. */
export function createApprovalGate({ db, audit, ids }: Base, { fourEyes }: GateNeeds) {
  const gate = createGate({ db, audit, ids, fourEyes });
  const holdChange: HoldChange = fourEyes ? (tx, caller, change) => gate.hold(tx, caller, change) : undefined;
  return {
    services: { gate, holdChange, count: PENDING },
    registrations: { actions: createApprovalActions(gate) } satisfies Registrations,
  };
}

export function createApprovals(base: Base, { executions, describeDemo, fourEyes, ...needs }: ApprovalsNeeds) {
  const { db, runtime, changes, audit, clock, log } = base;
  async function settleHeld(tx: Tx, decision: HeldDecision): Promise<boolean> {
    for (const each of needs.held) if (await each.settle(tx, decision)) return true;
    return false;
  }
  const approvals = createApprovalsService({
    runtime,
    stores: base.sources(createApprovalsStore, (showcase) => createShowcaseApprovalsStore(showcase.approvals)),
    executions,
    decisions: needs.decisions,
    findKeyPeople: needs.findKeyPeople,
    findAccountLinks: needs.findAccountLinks,
    settleHeld,
    audit,
  });
  const isPending = ({ status }: Approval) => status === "pending";
  async function storeShown(tx: Tx, shown: readonly Approval[]): Promise<void> {
    const build = createDemoApprovals({ describe: (start) => describeDemo(tx, start), fourEyes, clock });
    for (const approval of shown) await createApprovalsWriter(tx).insertPast(await build(approval));
  }
  return {
    services: { approvals },
    registrations: {
      routes: [approvalsRoutes(approvals, changes)],
      storeDemo: (tx: Tx, { approvals: shown }: Showcase) =>
        storeShown(
          tx,
          shown.filter((each) => !isPending(each)),
        ),
      /**
       * A pending approval is bound to an effect that names records, such as a device, which must be committed first.
       */
      async completeDemo({ approvals: shown }: Showcase): Promise<void> {
        for (const approval of shown.filter(isPending)) {
          await db.transaction().execute(async (tx) => {
            if (!(await createApprovalsStore(tx).find(ALL_SITES, approval.id))) await storeShown(tx, [approval]);
          });
        }
      },
      readers: { approval: ["approvals:manage"] as const },
      sights: { approval: { filter: (scope: Scope, ids: readonly string[]) => approvals.findVisible(scope, ids) } },
      createWork: () => ({
        background: () => [
          createApprovalsWorker({
            db,
            deadlines: createDeadlinesService({ executions, settleHeld, audit }),
            isAllowed: async () => (await runtime.truth()).is_internal_workflows_allowed,
            clock,
            log,
          }),
        ],
      }),
    } satisfies Registrations,
  };
}
