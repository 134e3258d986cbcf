import { createClock } from "@kit/clock";
import { createFakeIds } from "@kit/clock/fake";
import { createAlertActions } from "../../src/alerts/alerts/alerts.actions.ts";
import { createCaseActions } from "../../src/cases/cases/cases.actions.ts";
import { createDeviceAction } from "../../src/devices/registry/devices.actions.ts";
import { createActionRegistry } from "../../src/foundation/actions/action-registry.ts";
import { createSearchAction } from "../../src/logs/search/logs.actions.ts";
import { createWaitAction } from "../../src/response/executions/wait.actions.ts";
import { createFakeActions, createFakeApprovalAction, createMemoryAdapter } from "../fixtures/response-actions.ts";

const refuse = async () => {
  throw new Error("unexpected call");
};

/** All actions with their names and parameters, for tests that do not run them. */
export function responseRegistry() {
  const clock = createClock();
  return createActionRegistry([
    ...createCaseActions({
      alerts: { lockOne: refuse },
      cases: { open: refuse, find: refuse, addSite: refuse, listSitesIn: refuse },
      items: { addComment: refuse, addTask: refuse },
    }),
    ...createAlertActions({ alerts: { update: refuse } }),
    createSearchAction({ logs: { newest: refuse }, clock }),
    createWaitAction(clock),
    createDeviceAction({ getNamed: refuse, revokeNamed: refuse }),
    ...createFakeActions(createMemoryAdapter()),
    createFakeApprovalAction(() => createFakeIds().next()),
  ]);
}
