import type { TSchema } from "typebox";
import type { Tx } from "../runtime/changes.service.ts";
import type { ActionContext, ActionName, Effect, RunContext } from "./action.ts";

interface Described {
  name: ActionName;
  /** Of its parameters, after the templates in them were filled. */
  params: TSchema;
  /** Changes nothing and asks nobody outside. */
  describe(params: unknown, context: ActionContext): Promise<Effect>;
}

/** Changes records of the platform. It commits together with the note that the step is done, so it happens once. */
export interface ChangeAction extends Described {
  kind: "change";
  apply(tx: Tx, params: unknown, context: RunContext): Promise<object>;
}

/** Asks or does something elsewhere. It may come again after a crash, with the same key. */
export interface OutsideAction extends Described {
  kind: "outside";
  run(params: unknown, context: RunContext): Promise<object>;
}

/** Ends the work for now. The execution is a row until then, and nothing else. */
export interface WaitAction extends Described {
  kind: "wait";
  /** What is waited for; in the transaction that parks the execution. */
  park(tx: Tx, params: unknown, context: RunContext): Promise<{ until: Date; approval_id?: string }>;
}

/** What a step can do. Each feature brings its own; `soar/` puts them together. */
export type Action = ChangeAction | OutsideAction | WaitAction;

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
