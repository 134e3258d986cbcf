import type { Action } from "./action.ts";

export type ActionRegistry = ReadonlyMap<string, Action>;

/** The actions of all features, by name. */
export function createActionRegistry(actions: readonly Action[]): ActionRegistry {
  const registry = new Map<string, Action>();
  for (const action of actions) {
    if (registry.has(action.name)) throw new Error(`two features register the action '${action.name}'`);
    // Only the effect of an outside action is compared with the approved one.
    if (action.isCritical && action.kind !== "outside")
      throw new Error(`'${action.name}' is critical, but not outside`);
    registry.set(action.name, action);
  }
  return registry;
}
