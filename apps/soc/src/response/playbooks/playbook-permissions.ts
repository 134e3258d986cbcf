import { Problem } from "@kit/problem";
import type { ActionTraits } from "../../foundation/actions/action.ts";
import { type Caller, isCallerAllowed } from "../../foundation/caller/caller.ts";
import type { Playbook } from "./playbook.ts";

export type ActionNeeds = ReadonlyMap<string, Pick<ActionTraits, "needs">>;

/**
 * A playbook gives its caller no more rights than the routes do. A critical playbook starts only after a person
 * approved its steps.
 */
export function requireStepPermissions(caller: Caller, playbook: Playbook, actions: ActionNeeds): void {
  const needs = playbook.critical ? [] : playbook.steps.flatMap(({ action }) => actions.get(action)?.needs ?? []);
  const missing = needs.find((permission) => !isCallerAllowed(caller, [permission]));
  if (missing === undefined) return;
  throw new Problem("forbidden", `playbook '${playbook.id}' has a step that needs the permission ${missing}`);
}
