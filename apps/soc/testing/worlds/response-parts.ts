import { join } from "node:path";
import { createAlertChanges } from "../../src/casework/alerts/alert-changes.ts";
import { createAlertActions } from "../../src/casework/alerts/alerts.actions.ts";
import { createAlertsService } from "../../src/casework/alerts/alerts.service.ts";
import { createAlertsStore } from "../../src/casework/alerts/alerts.store.ts";
import { createCaseItemsService } from "../../src/casework/cases/case-items.service.ts";
import { createCaseReads } from "../../src/casework/cases/case-reads.store.ts";
import { createCaseActions } from "../../src/casework/cases/cases.actions.ts";
import { createCasesService } from "../../src/casework/cases/cases.service.ts";
import { createActionRegistry } from "../../src/foundation/actions/action-registry.ts";
import { createAuditStore } from "../../src/foundation/audit/audit.store.ts";
import { createSearchAction } from "../../src/logs/search/logs.actions.ts";
import type { Gate } from "../../src/response/approvals/approval-gate.ts";
import { createApprovalActions } from "../../src/response/approvals/approvals.actions.ts";
import type { ApprovalGate } from "../../src/response/executions/approval-port.ts";
import { createDeviceAction, type Devices } from "../../src/response/executions/device.actions.ts";
import { createWaitAction } from "../../src/response/executions/wait.actions.ts";
import { readBuiltInPlaybooks, toPlaybooks } from "../../src/response/playbooks/built-in-playbooks.ts";
import { type Adapter, createFakeActions, createFakeApprovalAction } from "../fixtures/response-actions.ts";
import { createPlaybookParts, type ResponseWorld } from "./playbook-parts.ts";

export const PLAYBOOKS_FOLDER = join(import.meta.dirname, "../../playbooks");

/** The number of logs that a search returns. */
export interface FoundLogs {
  total: number;
}

/** The features that playbooks need, on a real database; outside systems are faked by the adapter. */
export function createResponseParts(
  { db, runtime, clock, ids }: ResponseWorld,
  adapter: Adapter,
  gate: ApprovalGate | Gate,
  found: FoundLogs = { total: 3 },
) {
  const audit = createAuditStore(ids);
  const alertChanges = createAlertChanges({ audit, clock });
  const reads = createCaseReads(db);
  const ledger = {
    append: async () => {
      throw new Error("unexpected deletion of a case");
    },
  };
  const cases = createCasesService({
    runtime,
    reads: { database: reads, showcase: reads },
    audit,
    alerts: alertChanges,
    ledger,
    clock,
    ids,
  });
  const alertsStore = createAlertsStore(db);
  const alerts = createAlertsService({
    runtime,
    stores: { database: alertsStore, showcase: alertsStore },
    changes: alertChanges,
    cases,
    audit,
    clock,
    ids,
  });
  const devices: Devices = {
    revoke: async (device_id, _reason, { idempotencyKey, signal }) => {
      await adapter.act("cps.revoke", idempotencyKey, { device_id }, signal);
      return { status: "revoking" };
    },
  };
  const actions = createActionRegistry([
    ...createCaseActions({
      alerts: alertChanges,
      cases,
      items: createCaseItemsService({ cases, audit, clock, ids }),
    }),
    ...createAlertActions({ alerts }),
    createSearchAction({ logs: { newest: async () => ({ total: found.total, logs: [] }) }, clock }),
    createWaitAction(clock),
    createDeviceAction(devices),
    ...createFakeActions(adapter),
    ...("requestStep" in gate ? createApprovalActions(gate) : [createFakeApprovalAction(() => ids.next())]),
  ]);
  const parts = createPlaybookParts(
    { db, runtime, clock, ids },
    {
      actions,
      gate,
      shown: { alert: (id) => alerts.get(id), case: (id) => cases.look(id, async (_, one) => one) },
      subjects: { alert: (tx, id) => alertChanges.lockOne(tx, id), case: (tx, id) => cases.find(tx, id) },
    },
  );
  return {
    actions,
    alerts,
    audit,
    cases,
    ...parts,
    builtIns: () => readBuiltInPlaybooks(PLAYBOOKS_FOLDER, actions),
    showcase: async () => toPlaybooks(await readBuiltInPlaybooks(PLAYBOOKS_FOLDER, actions), clock.now()),
  };
}
export type ResponseParts = ReturnType<typeof createResponseParts>;
