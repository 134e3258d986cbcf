import { createClock } from "@kit/clock";
import { createFakeIds } from "@kit/clock/fake";
import { createActionRegistry } from "../src/soar/action-registry.ts";
import { createAlertActions } from "../src/soar/alert-actions.service.ts";
import { createCaseActions } from "../src/soar/case-actions.service.ts";
import { createDeviceAction } from "../src/soar/device-action.service.ts";
import { createSearchAction } from "../src/soar/search-action.service.ts";
import { createWaitAction } from "../src/soar/wait-action.service.ts";
import { createFakeActions, createFakeApprovalAction, createMemoryAdapter } from "./response-actions.ts";

const refuse = async () => {
  throw new Error("nothing is done here");
};

/** All actions by their names and parameters, for tests that do nothing with them. */
export function responseRegistry() {
  const clock = createClock();
  return createActionRegistry([
    ...createCaseActions({
      alerts: { lockOne: refuse },
      cases: { open: refuse, find: refuse },
      items: { addComment: refuse, addTask: refuse },
    }),
    ...createAlertActions({ alerts: { update: refuse } }),
    createSearchAction({ logs: { newest: refuse }, clock }),
    createWaitAction(clock),
    createDeviceAction(),
    ...createFakeActions(createMemoryAdapter()),
    createFakeApprovalAction(() => createFakeIds().next()),
  ]);
}
