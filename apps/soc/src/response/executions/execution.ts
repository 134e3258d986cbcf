import type { Static } from "typebox";
import type { ActionName, ActionTraits } from "../../foundation/actions/action.ts";
import type { Change } from "../../foundation/audit/audit.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import type { Step } from "../playbooks/playbook.ts";
import type { ExecutionBody, ExecutionDetailBody, ExecutionStatus, StepStatus } from "./executions.schema.ts";

export type Execution = Static<typeof ExecutionBody>;
export type ExecutionDetail = Static<typeof ExecutionDetailBody>;

export type EndStatus = Exclude<ExecutionStatus, "queued" | "running" | "waiting">;
export type Part = "step" | "compensation";

export interface ExecutionRow extends Omit<Execution, "requires_approval"> {
  steps: Step[];
  due_at: Date | null;
  continuation: number;
  handed_out_at: Date | null;
  owner: string | null;
  failures: number;
  cancelled_by: string | null;
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

/** The decision about a step, or `timeout` when there was none in time. */
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

/** What each action tells about itself. */
export type ActionsByName = ReadonlyMap<string, Pick<ActionTraits, "mayHaveHappened">>;

/** Derives the next move from the stored steps alone. It never returns a finished step. */
export function nextMove(steps: readonly Step[], rows: readonly StepRow[], actions: ActionsByName): NextMove {
  const findRow = (step: Step, part: Part) => rows.find((row) => row.step_id === step.id && row.part === part);
  for (const [position, step] of steps.entries()) {
    const row = findRow(step, "step");
    if (!row) return { move: "begin", part: "step", step, position };
    if (isOpen(row.status)) return { move: "resume", part: "step", step, position, row };
    if (row.status === "completed" || row.status === "skipped" || step.on_error === "continue") continue;
    if (step.on_error === "compensate") return nextCompensation(steps.slice(0, position + 1), row, findRow, actions);
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

/** In reverse order. A failed step with an outside effect is compensated too, because the effect may have happened. */
function nextCompensation(
  steps: readonly Step[],
  failed: StepRow,
  findRow: (step: Step, part: Part) => StepRow | undefined,
  actions: ActionsByName,
): NextMove {
  const taken = [...steps.entries()].toReversed();
  const done = taken.filter(([, step]) => needsCompensation(step, findRow(step, "step"), actions));
  const errors: string[] = [];
  for (const [position, step] of done) {
    const row = findRow(step, "compensation");
    if (!row) return { move: "begin", part: "compensation", step, position };
    if (isOpen(row.status)) return { move: "resume", part: "compensation", step, position, row };
    if (row.status !== "completed") errors.push(`step '${step.id}' not compensated: ${row.error ?? row.status}`);
  }
  const [, last] = taken[0] ?? [];
  const reason = last ? formatStepError(last, failed) : failed.status;
  return {
    move: "finish",
    status: errors.length > 0 ? "failed" : "compensated",
    error: [reason, ...errors].join("; "),
  };
}

function needsCompensation({ compensate, action }: Step, row: StepRow | undefined, actions: ActionsByName): boolean {
  if (!compensate || !row) return false;
  return row.status === "completed" || (row.status === "failed" && actions.get(action)?.mayHaveHappened === true);
}

export function completedCount(rows: readonly Pick<StepRow, "part" | "status">[]): number {
  return rows.filter(({ part, status }) => part === "step" && (status === "completed" || status === "skipped")).length;
}

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

export function retryAfterMs(attempt: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1));
}

/** The audit record of an execution's end; the same for every way to end. */
export function buildEndChange(execution: ExecutionRow, status: EndStatus, error: string | null): Change {
  const { execution_id, playbook_id, requested_by, cancelled_by, alert_id, case_id } = execution;
  const { steps_completed, steps_total } = execution;
  return {
    actor: cancelled_by ?? requested_by,
    action: "execution.finished",
    subject_type: "execution",
    subject_id: execution_id,
    details: { playbook_id, status, error, alert_id, case_id, steps_completed, steps_total },
  };
}

export function isOver(status: ExecutionStatus): status is EndStatus {
  return status !== "queued" && status !== "running" && status !== "waiting";
}
