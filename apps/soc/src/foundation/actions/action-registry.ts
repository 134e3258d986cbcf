import type { Action } from "./action.ts";

export type ActionRegistry = ReadonlyMap<string, Action>;

/** The actions of all features by their names. */
export function createActionRegistry(actions: readonly Action[]): ActionRegistry {
  const registry = new Map<string, Action>();
  for (const action of actions) {
    if (registry.has(action.name)) throw new Error(`there are two actions '${action.name}'`);
    registry.set(action.name, action);
  }
  return registry;
}
