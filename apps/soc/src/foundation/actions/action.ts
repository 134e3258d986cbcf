import type { TSchema } from "typebox";
import type { Caller } from "../caller/caller.ts";
import { ALL_SITES, type Scope } from "../caller/caller.ts";
import type { Permission } from "../caller/permissions.ts";
import type { Tx } from "../database/tables.ts";

/** `<noun>.<verb>`, or a single word; the registry refuses a second action of the same name. */
export type ActionName = string;

/** What an action would send out of the platform, verbatim; secrets and signatures are omitted. */
export interface OutgoingRequest {
  destination: string;
  method: string;
  url: string;
  body: unknown;
}

/** The record that an effect acts on. */
export interface EffectTarget {
  kind: "endpoint" | "device";
  id: string;
  name: string;
  site: string | null;
  /** The last known address; it may change after the approval. */
  address: string | null;
}

/** What a step would do, described before it runs: for the approver and for a preview. */
export interface Effect {
  /** One sentence that names the affected object: "Isolates WS-0142 from the network". */
  summary: string;
  sends: readonly OutgoingRequest[];
  target?: EffectTarget;
}

/** The part of an effect that an approval is bound to: the address of its target may change. */
export function toBoundEffect({ summary, sends, target }: Effect) {
  return { summary, sends, ...(target && { target: { id: target.id, site: target.site } }) };
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
  /** The sites in which the execution reads and acts. */
  scope: Scope;
}

export interface RunContext extends ActionContext {
  /** `execution:step:iteration`: the same when the step is retried. */
  idempotencyKey: string;
  signal: AbortSignal;
}

export interface WaitContext extends RunContext {
  /** Users who count as requesters of the execution. The four-eyes rule forbids them to decide about its steps. */
  requesters: readonly string[];
  /** Those of them who started it, without the author of the playbook. */
  starters: readonly string[];
}

/** Properties of an action that playbooks depend on. An omitted trait is false. */
export interface ActionTraits {
  /**
   * A playbook that uses it always needs an approval, and the approval must have shown its effect. Only an action
   * outside the platform can be critical.
   */
  isCritical?: boolean;
  /** The permissions that a caller needs to start a playbook with it, unless an approval is required in between. */
  needs?: readonly Permission[];
  /** The effect may have happened even if the step failed, so a failed step is compensated as well. */
  mayHaveHappened?: boolean;
  /** An action outside the transaction that reaches only the platform's own stores. Nothing leaves the platform. */
  staysInside?: boolean;
  /** Its result has the `case_id` of the execution. */
  opensCase?: boolean;
  /** It may change the fields of the execution's alert. */
  changesAlert?: boolean;
}

interface ActionDefinition extends ActionTraits {
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
export interface ChangeAction extends ActionDefinition {
  kind: "change";
  apply(tx: Tx, params: unknown, context: RunContext): Promise<object>;
}

/** Calls another system. It may run again after a crash, with the same idempotency key. */
export interface OutsideAction extends ActionDefinition {
  kind: "outside";
  run(params: unknown, context: RunContext): Promise<object>;
}

/** Suspends the execution. Until it resumes, the execution is only a row in the database. */
export interface WaitAction extends ActionDefinition {
  kind: "wait";
  /** Stores what the execution waits for, in the transaction that suspends it. */
  park(tx: Tx, params: unknown, context: WaitContext): Promise<{ until: Date; approval_id?: string }>;
}

/** What a step can do. Each feature registers its own actions. */
export type Action = ChangeAction | OutsideAction | WaitAction;

/** Whether running the action sends anything out of the platform. */
export function leavesPlatform({ kind, staysInside = false }: Pick<Action, "kind" | "staysInside">): boolean {
  return kind === "outside" && !staysInside;
}

/** The caller that a step acts as: never more rights than the role `agent`, and only the sites of the execution. */
export function toCaller({ actor, scope }: Pick<ActionContext, "actor" | "scope">): Caller {
  return { kind: "user", username: actor, role: "agent", ...(scope !== ALL_SITES && { sites: scope }) };
}

/**
 * Marks a text parameter that must not contain templates: it is code in a query language, so a substituted value would
 * be an injection.
 */
export const PLAIN = "x-plain";
