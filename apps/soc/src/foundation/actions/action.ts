import type { TSchema } from "typebox";
import type { Caller } from "../caller/caller.ts";
import type { Permission } from "../caller/permissions.ts";
import type { Tx } from "../database/tables.ts";

/** `<noun>.<verb>`, or a single word; the registry refuses a second action of the same name. */
export type ActionName = string;

/** What an action would send out of the platform, verbatim; secrets and signatures are left out. */
export interface Sending {
  destination: string;
  method: string;
  url: string;
  body: unknown;
}

/** What a step would do, described before it runs: for the approver and for a preview. */
export interface Effect {
  /** One sentence that names the affected object: "Isolates WS-0142 from the network". */
  summary: string;
  sends: readonly Sending[];
}

/** On whose behalf a step runs, and for which alert or case. */
export interface ActionContext {
  execution_id: string;
  playbook_id: string;
  step_id: string;
  /** The user or the automation that started the execution. */
  actor: string;
  alert_id: string | null;
  case_id: string | null;
}

export interface RunContext extends ActionContext {
  /** `execution:step:iteration`: the same when the step is retried. */
  idempotencyKey: string;
  signal: AbortSignal;
}

export interface WaitContext extends RunContext {
  /** Everyone who counts as a requester of the execution: with four eyes, none of them decides about its steps. */
  requesters: readonly string[];
}

/** What an action tells the playbooks about itself. Left out is false. */
export interface ActionTraits {
  /**
   * A playbook that uses it always needs an approval, and it runs only with an approval that showed its effect. Only an
   * action outside the platform is critical.
   */
  isCritical?: boolean;
  /** What the caller who starts a playbook with it must hold, unless an approval stands between them. */
  needs?: readonly Permission[];
  /** Its effect may have happened although it failed, so a failed step is compensated, too. */
  mayHaveHappened?: boolean;
  /** An action outside the transaction that reaches only the platform's own stores: nothing leaves the platform. */
  staysInside?: boolean;
  /** Its result has the `case_id` of the execution. */
  opensCase?: boolean;
  /** It may change the fields of the execution's alert. */
  changesAlert?: boolean;
}

interface Described extends ActionTraits {
  name: ActionName;
  /** The schema of its parameters after template substitution. */
  params: TSchema;
  /** Changes nothing and contacts no external system. */
  describe(params: unknown, context: ActionContext): Promise<Effect>;
}

/**
 * Changes records of the platform. It commits in the transaction that marks the step as done, so it happens exactly
 * once.
 */
export interface ChangeAction extends Described {
  kind: "change";
  apply(tx: Tx, params: unknown, context: RunContext): Promise<object>;
}

/** Calls another system. It may run again after a crash, with the same idempotency key. */
export interface OutsideAction extends Described {
  kind: "outside";
  run(params: unknown, context: RunContext): Promise<object>;
}

/** Suspends the execution. Until it resumes, the execution is only a row in the database. */
export interface WaitAction extends Described {
  kind: "wait";
  /** Stores what the execution waits for, in the transaction that suspends it. */
  park(tx: Tx, params: unknown, context: WaitContext): Promise<{ until: Date; approval_id?: string }>;
}

/** What a step can do. Each feature registers its own actions. */
export type Action = ChangeAction | OutsideAction | WaitAction;

/** Whether something leaves the platform when the action runs. */
export function leavesPlatform({ kind, staysInside = false }: Pick<Action, "kind" | "staysInside">): boolean {
  return kind === "outside" && !staysInside;
}

/** The caller that a step acts as: a playbook never has more rights than the role `agent`. */
export function toCaller(actor: string): Caller {
  return { kind: "user", username: actor, role: "agent" };
}

/**
 * Marks a text parameter that must not contain templates: it is code in a query language, so a substituted value would
 * be an injection.
 */
export const PLAIN = "x-plain";
