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
