import { join } from "node:path";
import { createAlertChanges } from "../../src/alerts/alerts/alert-changes.ts";
import { createAlerts } from "../../src/alerts/module.ts";
import { createCases } from "../../src/cases/cases/cases.feature.ts";
import { createDeviceAction, type RevocableDevices } from "../../src/devices/registry/devices.actions.ts";
import { createActionRegistry } from "../../src/foundation/actions/action-registry.ts";
import type { Base } from "../../src/foundation/base.ts";
import { compileAlertQuery } from "../../src/logs/query/alert-query.ts";
import { createSearchAction } from "../../src/logs/search/logs.actions.ts";
import type { Gate } from "../../src/response/approvals/approval-gate.ts";
import { createApprovalActions } from "../../src/response/approvals/approvals.actions.ts";
import { createWaitAction } from "../../src/response/executions/wait.actions.ts";
import { readBuiltInPlaybooks, toPlaybooks } from "../../src/response/playbooks/built-in-playbooks.ts";
import { NO_LEDGER } from "../fixtures/no-ledger.ts";
import { type Adapter, createFakeActions, createFakeApprovalAction } from "../fixtures/response-actions.ts";
import { createPlaybookParts } from "./playbook-parts.ts";
import type { MemoryGate } from "./response-gate.ts";

export const PLAYBOOKS_FOLDER = join(import.meta.dirname, "../../playbooks");

/** The number of logs that a search returns. */
export interface FoundLogs {
  total: number;
}

/** The features that playbooks need, on a real database; the adapter fakes external systems. */
export function createResponseParts(
  base: Base,
  adapter: Adapter,
  gate: MemoryGate | Gate,
  found: FoundLogs = { total: 3 },
) {
  const { audit, clock, ids } = base;
  const alertChanges = createAlertChanges(base);
  const {
    services: { caseBody, cases },
    registrations: { actions: caseActions },
  } = createCases(base, { alerts: alertChanges, ledger: NO_LEDGER });
  const {
    services: { alerts },
    registrations: { actions: alertActions },
  } = createAlerts(base, {
    caseBody,
    cases,
    changes: alertChanges,
    compileQuery: compileAlertQuery,
  });
  const devices: RevocableDevices = {
    getNamed: async (_scope, device_id) => ({ id: device_id, name: device_id, site: null }),
    revokeNamed: async (device_id, _reason, { idempotencyKey, signal }) => {
      await adapter.act("cps.revoke", idempotencyKey, { device_id }, signal);
      return { status: "revoking" };
    },
  };
  const actions = createActionRegistry([
    ...caseActions,
    ...alertActions,
    createSearchAction({ logs: { newest: async () => ({ total: found.total, logs: [] }) }, clock }),
    createWaitAction(clock),
    createDeviceAction(devices),
    ...createFakeActions(adapter),
    ...("requestFor" in gate ? createApprovalActions(gate) : [createFakeApprovalAction(() => ids.next())]),
  ]);
  const parts = createPlaybookParts(base, {
    actions,
    alerts,
    gate,
    shown: {
      alert: (scope, id) => alerts.get(scope, id),
      case: (scope, id) => cases.look(scope, id, async (_, one) => one),
      caseSites: (id) => cases.listSites(id),
      findSites: async () => [],
    },
    subjects: {
      alert: (tx, scope, id) => alertChanges.lockOne(tx, scope, id),
      case: (tx, scope, id) => cases.find(tx, scope, id),
    },
  });
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
