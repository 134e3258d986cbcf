import type { TSchema } from "typebox";
import type { Caller } from "../caller/caller.ts";
import type { Tx } from "../database/tables.ts";

export const ACTION_NAMES = [
  "edr.isolate",
  "edr.unisolate",
  "edr.scan",
  "cps.revoke",
  "iocs.add",
  "case.create",
  "case.comment",
  "case.task",
  "alert.update",
  "siem.search",
  "notify.webhook",
  "http.request",
  "approval.request",
  "wait",
  "report.generate",
] as const;
export type ActionName = (typeof ACTION_NAMES)[number];

/** What would leave the platform, word for word; secrets and signatures are left out. */
export interface Sending {
  destination: string;
  method: string;
  url: string;
  body: unknown;
}

/** What a step would do, told before it is done: to whoever approves it, and in a preview. */
export interface Effect {
  /** One sentence that names what is concerned: "Isolates WS-0142 from the network". */
  summary: string;
  sends: readonly Sending[];
}

/** On whose behalf, and about what, a step works. */
export interface ActionContext {
  execution_id: string;
  playbook_id: string;
  step_id: string;
  /** The user, or the automation, that began it. */
  actor: string;
  alert_id: string | null;
  case_id: string | null;
}

export interface RunContext extends ActionContext {
  /** `execution:step:iteration`: the same when the step comes again. */
  idempotencyKey: string;
  signal: AbortSignal;
}

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

/** The caller a step acts as: a playbook gives no one more rights than the role agent has. */
export function toCaller(actor: string): Caller {
  return { kind: "user", username: actor, role: "agent" };
}

/** Marks a text parameter that no template may change: it is a language, and a value would be read as part of it. */
export const PLAIN = "x-plain";
