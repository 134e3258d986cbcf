import type { Static } from "typebox";
import type { ActionName, ActionTraits, Effect } from "../../foundation/actions/action.ts";
import type { Change } from "../../foundation/audit/audit.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import type { Step } from "../playbooks/playbook.ts";
import type { ExecutionBody, ExecutionDetailBody, ExecutionStatus, StepStatus } from "./executions.schema.ts";

export type Execution = Static<typeof ExecutionBody>;
export type ExecutionDetail = Static<typeof ExecutionDetailBody>;

export type EndStatus = Exclude<ExecutionStatus, "queued" | "running" | "waiting">;
export type Part = "step" | "compensation";

/** The effect of a step, as an approval or a preview shows it. */
export interface StepEffect extends Effect {
  step_id: string;
}

export interface ExecutionRow extends Omit<Execution, "id" | "requires_approval"> {
  steps: Step[];
  /** The sites in which it reads and acts; null for all. */
  sites: string[] | null;
  /** Everyone who counts as a requester: with four eyes, none of them decides about a step. */
  requesters: string[];
  /** Those of them who started it; null for executions of the former release, whose requesters all count. */
  starters: string[] | null;
  /** The effects that the starting approval showed; null if it needed none. */
  approved_effects: StepEffect[] | null;
  due_at: Date | null;
  continuation: number;
  handed_out_at: Date | null;
  owner: string | null;
  failures: number;
  cancelled_by: string | null;
  /** Its workers failed too often, so only its compensation still runs. */
  abandoned: boolean;
}

export interface StepRow {
  execution_id: string;
  step_id: string;
  part: Part;
  iteration: number;
  position: number;
  action: ActionName;
  status: StepStatus;
  key: string;
  attempt: number;
  begun: number;
  approval_id: string | null;
  result: Record<string, unknown> | null;
  error: string | null;
  started_at: Date;
  finished_at: Date | null;
}

/** The decision about a step, or `timeout` if there was none in time. */
export type StepDecision = "approved" | "rejected" | "timeout";

export const NEWEST_FIRST: Order<Execution> = newestFirst("created_at", "execution_id");

export type NextMove =
  | { move: "begin"; part: Part; step: Step; position: number }
  | { move: "resume"; part: Part; step: Step; position: number; row: StepRow }
  | { move: "finish"; status: EndStatus; error: string | null };

/** Playbooks have no loops: each step runs once. */
const ITERATION = 1;

export function keyOf(execution_id: string, step_id: string, part: Part): string {
  const key = `${execution_id}:${step_id}:${ITERATION}`;
  return part === "step" ? key : `${key}:compensate`;
}

/** The traits of each action. */
export type ActionsByName = ReadonlyMap<string, Pick<ActionTraits, "mayHaveHappened">>;

/** How an execution ends that starts no further step, after compensating finished steps. */
export interface Stop {
  status: "cancelled" | "failed";
  reason: string;
}

/** Returns why the execution starts no further step; undefined if it continues. */
export function findStop({ cancelled_by, abandoned }: Pick<ExecutionRow, "cancelled_by" | "abandoned">) {
  if (cancelled_by !== null) return { status: "cancelled", reason: `cancelled by ${cancelled_by}` } as const;
  return abandoned ? ({ status: "failed", reason: TOO_OFTEN } as const) : undefined;
}

export const TOO_OFTEN = "its workers failed too often";

/** Derives the next move from the stored steps alone. It never returns a finished step. */
export function nextMove(
  steps: readonly Step[],
  rows: readonly StepRow[],
  actions: ActionsByName,
  stop?: Stop,
): NextMove {
  const findRow = (step: Step, part: Part) => rows.find((row) => row.step_id === step.id && row.part === part);
  if (stop) return nextCompensation(steps, stop, findRow, actions);
  for (const [position, step] of steps.entries()) {
    const row = findRow(step, "step");
    if (!row) return { move: "begin", part: "step", step, position };
    if (isOpen(row.status)) return { move: "resume", part: "step", step, position, row };
    if (row.status === "completed" || row.status === "skipped" || step.on_error === "continue") continue;
    if (step.on_error === "compensate") {
      const failure = { status: "compensated", reason: formatStepError(step, row) } as const;
      return nextCompensation(steps.slice(0, position + 1), failure, findRow, actions);
    }
    return { move: "finish", status: toEndStatus(row.status), error: formatStepError(step, row) };
  }
  return { move: "finish", status: "completed", error: null };
}

function isOpen(status: StepStatus): boolean {
  return status === "running" || status === "waiting" || status === "retrying";
}

function toEndStatus(status: StepStatus): EndStatus {
  return status === "rejected" || status === "timeout" ? status : "failed";
}

function formatStepError({ id }: Step, { error, status }: StepRow): string {
  return `step '${id}': ${error ?? status}`;
}

/**
 * Compensates in reverse order. A failed step with an outside effect is compensated too, because the effect may have
 * happened.
 */
function nextCompensation(
  steps: readonly Step[],
  { status, reason }: { status: EndStatus; reason: string },
  findRow: (step: Step, part: Part) => StepRow | undefined,
  actions: ActionsByName,
): NextMove {
  const done = [...steps.entries()]
    .toReversed()
    .filter(([, step]) => needsCompensation(step, findRow(step, "step"), actions));
  const errors: string[] = [];
  for (const [position, step] of done) {
    const row = findRow(step, "compensation");
    if (!row) return { move: "begin", part: "compensation", step, position };
    if (isOpen(row.status)) return { move: "resume", part: "compensation", step, position, row };
    if (row.status !== "completed") errors.push(`step '${step.id}' not compensated: ${row.error ?? row.status}`);
  }
  const isUndone = errors.length === 0;
  return {
    move: "finish",
    status: isUndone || status === "cancelled" ? status : "failed",
    error: [reason, ...errors].join("; "),
  };
}

/** Statuses of a step whose effect may have happened although it did not complete. */
const UNFINISHED: readonly StepStatus[] = ["running", "retrying", "failed"];

function needsCompensation({ compensate, action }: Step, row: StepRow | undefined, actions: ActionsByName): boolean {
  if (!compensate || !row) return false;
  const mayHaveHappened = UNFINISHED.includes(row.status) && actions.get(action)?.mayHaveHappened === true;
  return row.status === "completed" || mayHaveHappened;
}

/** Reports whether a started step has a compensation, so that the execution cannot end at once. */
export function mayNeedCompensation({ steps }: Pick<ExecutionRow, "steps">, rows: readonly StepRow[]): boolean {
  return steps.some(({ id, compensate }) => compensate && rows.some(({ step_id }) => step_id === id));
}

export function isCompensating(rows: readonly Pick<StepRow, "part">[]): boolean {
  return rows.some(({ part }) => part === "compensation");
}

export function completedCount(rows: readonly Pick<StepRow, "part" | "status">[]): number {
  return rows.filter(({ part, status }) => part === "step" && (status === "completed" || status === "skipped")).length;
}

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

export function retryAfterMs(attempt: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1));
}

/** Builds the audit record of an execution's end, identical for every way to end. */
export function buildEndChange(execution: ExecutionRow, status: EndStatus, error: string | null): Change {
  const { execution_id, playbook_id, requested_by, cancelled_by, alert_id, case_id } = execution;
  const { steps_completed, steps_total } = execution;
  return {
    actor: cancelled_by ?? requested_by,
    action: "execution.finished",
    subject_type: "execution",
    subject_id: execution_id,
    details: { playbook_id, requested_by, status, error, alert_id, case_id, steps_completed, steps_total },
  };
}

export function isOver(status: ExecutionStatus): status is EndStatus {
  return status !== "queued" && status !== "running" && status !== "waiting";
}
