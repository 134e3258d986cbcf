import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Action, Effect, OutsideAction, RunContext, WaitContext } from "../../foundation/actions/action.ts";
import type { ActionRegistry } from "../../foundation/actions/action-registry.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { StepApprovals } from "../approvals/approval-port.ts";
import type { Step } from "../playbooks/playbook.ts";
import { findMisfits } from "../playbooks/schema-check.ts";
import { parseWhen } from "../playbooks/step-condition.ts";
import { fill, isRecord } from "../playbooks/step-template.ts";
import {
  buildEndChange,
  completedCount,
  type EndStatus,
  type ExecutionRow,
  findStop,
  keyOf,
  type NextMove,
  nextMove,
  retryAfterMs,
  type StepRow,
} from "./execution.ts";
import { type Continuation, createProgressWriter, type ExecutionWork, type OwnedTx } from "./execution-work.store.ts";
import { createExecutionsWriter } from "./executions.store.ts";
import { buildCriticalCall, buildStepRequest, type CriticalCall, findUnapproved } from "./step-approval.ts";
import type { StepScopes } from "./step-scope.ts";

export interface InterpreterDeps {
  work: Pick<ExecutionWork, "take" | "limit" | "within">;
  actions: ActionRegistry;
  scopes: StepScopes;
  approvals: StepApprovals;
  audit: Recorder;
  clock: Pick<Clock, "now" | "deadline">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "error" | "warn">;
  /** Called at every point where a crash matters; tests crash the process here. */
  onCheckpoint?: (place: Checkpoint, step_id: string) => Promise<void>;
}
export type InterpreterService = ReturnType<typeof createInterpreterService>;

/**
 * `turn`: between two steps. `applied`: inside the transaction of a step, before the commit. `begun`: the step is
 * stored as running. `ran`: the step has run, but its result is not stored yet.
 */
export type Checkpoint = "turn" | "applied" | "begun" | "ran";

type StepMove = Exclude<NextMove, { move: "finish" }>;

interface Call {
  row: StepRow;
  step: Step;
  action: OutsideAction;
  params: unknown;
  context: WaitContext;
  /** The step as an approval shows it, if it needs one. */
  critical: CriticalCall | undefined;
}

type Turn = { goes: "over" } | { goes: "next" } | { goes: "call"; call: Call };

type Outcome = { result: object } | { error: unknown } | { unapproved: Effect };

/** A step failed: its transaction is rolled back, then the failure is stored. */
class StepFailed extends Error {
  readonly row: StepRow;
  readonly step: Step;

  constructor(row: StepRow, step: Step, cause: unknown) {
    super("a step failed", { cause });
    this.row = row;
    this.step = step;
  }
}

// Twice the number that fifty steps with their compensations need.
const MAX_TURNS = 200;
/** A step that crashed its process this often is not retried. */
const MAX_STARTS = 20;
const MAX_RESULT_BYTES = 65_536;

/** Runs the steps of an execution. The stored steps are authoritative: a step without a stored result runs again. */
export function createInterpreterService(deps: InterpreterDeps) {
  const { work, actions, scopes, approvals, audit, clock, ids, log } = deps;
  const onCheckpoint = deps.onCheckpoint ?? (async () => undefined);

  async function finish(tx: OwnedTx, execution: ExecutionRow, status: EndStatus, error: string | null): Promise<Turn> {
    await createProgressWriter(tx).finish(execution.execution_id, { status, error, now: clock.now() });
    await audit.record(tx, buildEndChange(execution, status, error));
    return { goes: "over" };
  }

  /** Stores a finished step and updates the progress of the execution. */
  async function settle(tx: OwnedTx, execution: ExecutionRow, row: StepRow): Promise<Turn> {
    const progress = createProgressWriter(tx);
    await progress.writeStep({
      ...row,
      result: row.result && bounded(row.result),
      finished_at: clock.now(),
    });
    const steps_completed = completedCount(await createExecutionsWriter(tx).listSteps(execution.execution_id));
    const case_id = execution.case_id ?? findOpenedCase(row) ?? null;
    await progress.note(execution.execution_id, { steps_completed, case_id, now: clock.now() });
    return { goes: "next" };
  }

  async function fail(tx: OwnedTx, execution: ExecutionRow, step: Step, row: StepRow, cause: unknown): Promise<Turn> {
    const progress = createProgressWriter(tx);
    const { execution_id } = execution;
    const error = cause instanceof Problem ? cause.message : "internal error";
    if (!(cause instanceof Problem)) log.error({ err: cause, execution_id, step_id: step.id }, "step failed");
    if (!isWorthRetrying(cause) || row.attempt > step.retries) {
      return settle(tx, execution, { ...row, status: "failed", error });
    }
    await progress.writeStep({ ...row, status: "retrying", attempt: row.attempt + 1, error });
    await progress.park(execution_id, retryAfterMs(row.attempt), clock.now());
    return { goes: "over" };
  }

  async function begin(tx: OwnedTx, execution: ExecutionRow, rows: readonly StepRow[], move: StepMove): Promise<Turn> {
    const { step, part } = move;
    const row = buildStepRow(execution, move, clock.now());
    const scope = await scopes.read(tx, execution, rows);
    const isConditional = move.move === "begin" && part === "step" && step.when !== null;
    if (isConditional && !parseWhen(step.when ?? "").holds(scope)) {
      return settle(tx, execution, { ...row, status: "skipped" });
    }
    const { action: name, params: template } = part === "step" ? step : (step.compensate ?? step);
    const action = actions.get(name);
    if (!action) return settle(tx, execution, { ...row, status: "failed", error: `action '${name}' is not available` });
    if (row.begun > MAX_STARTS) {
      return settle(tx, execution, {
        ...row,
        status: "failed",
        error: `started ${MAX_STARTS} times without finishing`,
      });
    }
    const params = fill(template, scope);
    const [misfit] = findMisfits(action.params, params);
    if (misfit) {
      const error = `${["params", ...misfit.path].join(".")}: ${misfit.message}`;
      return settle(tx, execution, { ...row, status: "failed", error });
    }
    const context = buildRunContext(execution, step, row, clock.deadline(step.timeout_s * 1000));
    const hasOpenedCase = rows.some((made) => findOpenedCase(made) === execution.case_id);
    const asShown = () => buildCriticalCall({ execution, step, part, template, scope, hasOpenedCase });
    const critical = ifCritical(action, asShown);
    return perform(tx, execution, { row, step, params, context, critical }, action);
  }

  /** Returns the id of the case that the step opened. */
  function findOpenedCase({ action, result }: StepRow): string | undefined {
    const made = actions.get(action)?.opensCase ? result?.case_id : undefined;
    return typeof made === "string" ? made : undefined;
  }

  async function perform(
    tx: OwnedTx,
    execution: ExecutionRow,
    prepared: Omit<Call, "action">,
    action: Action,
  ): Promise<Turn> {
    const { row, step, params, context } = prepared;
    const rethrowAsStepFailed = (error: unknown): never => {
      throw new StepFailed(row, step, error);
    };
    switch (action.kind) {
      case "outside":
        await createProgressWriter(tx).writeStep(row);
        return { goes: "call", call: { ...prepared, action } };
      case "change": {
        const result = await action.apply(tx, params, context).catch(rethrowAsStepFailed);
        await onCheckpoint("applied", step.id);
        return settle(tx, execution, { ...row, status: "completed", result: plain(result) });
      }
      case "wait": {
        const { until, approval_id = null } = await action.park(tx, params, context).catch(rethrowAsStepFailed);
        await onCheckpoint("applied", step.id);
        return park(tx, execution, { ...row, status: "waiting", approval_id }, until);
      }
      default:
        return action satisfies never;
    }
  }

  async function park(tx: OwnedTx, execution: ExecutionRow, row: StepRow, until: Date): Promise<Turn> {
    const progress = createProgressWriter(tx);
    const { execution_id, playbook_id, requested_by } = execution;
    const { step_id, approval_id } = row;
    await progress.writeStep(row);
    await progress.park(execution_id, until.getTime() - clock.now().getTime(), clock.now());
    await audit.record(tx, {
      actor: requested_by,
      action: "execution.parked",
      subject_type: "execution",
      subject_id: execution_id,
      details: { playbook_id, step_id, approval_id, until },
    });
    return { goes: "over" };
  }

  async function next(tx: OwnedTx, execution: ExecutionRow): Promise<Turn> {
    const rows = await createExecutionsWriter(tx).listSteps(execution.execution_id);
    const move = nextMove(execution.steps, rows, actions, findStop(execution));
    if (move.move === "finish") return finish(tx, execution, move.status, move.error);
    if (move.move === "resume" && move.row.status === "waiting") {
      const settled = woken(move.row);
      // The decision was about the effect of the action, which has not run yet.
      const isAllowed = settled.status === "completed" && actions.get(move.row.action)?.kind === "outside";
      if (!isAllowed) return settle(tx, execution, settled);
    }
    return begin(tx, execution, rows, move);
  }

  async function runApproved(call: Call): Promise<Outcome> {
    const { action, critical, params, context, step } = call;
    try {
      const unapproved = critical && (await findUnapproved(call, critical, approvals));
      if (unapproved) return { unapproved };
    } catch (error) {
      return { error };
    }
    return callAction(action, params, context, step.timeout_s);
  }

  /** Parks the execution until a person decides about the effect of its next action. */
  async function ask(tx: OwnedTx, execution: ExecutionRow, { row, step }: Call, effect: Effect): Promise<Turn> {
    const stop = row.part === "step" ? findStop(execution) : undefined;
    if (stop) return settle(tx, execution, { ...row, status: "timeout", error: stop.reason });
    const asked = await approvals.requestStep(tx, buildStepRequest(execution, step, row, effect));
    return park(tx, execution, { ...row, status: "waiting", approval_id: asked.id, result: null }, asked.expires_at);
  }

  async function call(called: Call, owner: string): Promise<boolean> {
    const { row, step } = called;
    await onCheckpoint("begun", step.id);
    const outcome = await runApproved(called);
    await onCheckpoint("ran", step.id);
    const turn = await work.within(row.execution_id, owner, (tx, execution) => {
      if ("unapproved" in outcome) return ask(tx, execution, called, outcome.unapproved);
      if ("error" in outcome) return fail(tx, execution, step, row, outcome.error);
      return settle(tx, execution, { ...row, status: "completed", error: null, result: plain(outcome.result) });
    });
    return turn?.goes === "next";
  }

  /** Returns true if there is more to do; false if the execution has ended, waits or has another owner. */
  async function turn(execution_id: string, owner: string): Promise<boolean> {
    await onCheckpoint("turn", "");
    try {
      const taken = await work.within(execution_id, owner, next);
      if (taken?.goes === "call") return await call(taken.call, owner);
      return taken?.goes === "next";
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      const { step, row, cause } = error;
      const settled = await work.within(execution_id, owner, (tx, execution) => fail(tx, execution, step, row, cause));
      return settled?.goes === "next";
    }
  }

  return {
    /** Runs an execution until it ends or waits. A second call for the same continuation takes over ownership. */
    async run(handed: Continuation): Promise<void> {
      const owner = ids.next();
      const { execution_id } = handed;
      const taken = await work.take(handed, owner);
      if (!taken) return;
      if (taken.sites === null) await work.limit(taken, owner, await scopes.findSites(taken));
      for (let turns = 0; turns < MAX_TURNS; turns += 1) {
        if (!(await turn(execution_id, owner))) return;
      }
      log.warn({ execution_id }, "execution exceeded the turn limit");
      await work.within(execution_id, owner, (tx, execution) =>
        finish(tx, execution, "failed", `it exceeded ${MAX_TURNS} turns`),
      );
    },
  };
}

/** Resolves with the result or the error of the action, at the latest at the step's timeout. */
async function callAction(
  action: OutsideAction,
  params: unknown,
  context: RunContext,
  timeout_s: number,
): Promise<Outcome> {
  const { signal } = context;
  const late = new Promise<never>((_, reject) => {
    const refuse = () => reject(new Problem("unavailable", `no answer within ${timeout_s} s`));
    if (signal.aborted) refuse();
    else signal.addEventListener("abort", refuse, { once: true });
  });
  try {
    return { result: await Promise.race([action.run(params, context), late]) };
  } catch (error) {
    return { error };
  }
}

function isWorthRetrying(error: unknown): boolean {
  return error instanceof Problem && (error.kind === "unavailable" || error.kind === "rate_limited");
}

function buildStepRow({ execution_id }: ExecutionRow, move: StepMove, now: Date): StepRow {
  if (move.move === "resume") return { ...move.row, status: "running", begun: move.row.begun + 1 };
  const { step, part, position } = move;
  return {
    execution_id,
    step_id: step.id,
    part,
    iteration: 1,
    position,
    action: part === "step" ? step.action : (step.compensate?.action ?? step.action),
    status: "running",
    key: keyOf(execution_id, step.id, part),
    attempt: 1,
    begun: 1,
    approval_id: null,
    result: null,
    error: null,
    started_at: now,
    finished_at: null,
  };
}

function ifCritical<Value>({ isCritical }: Pick<Action, "isCritical">, build: () => Value): Value | undefined {
  return isCritical ? build() : undefined;
}

/** Settles a waiting step whose time has passed or whose approval was decided. */
function woken(row: StepRow): StepRow {
  if (row.approval_id === null) return { ...row, status: "completed" };
  const decision = row.result?.decision;
  if (decision === "approved") return { ...row, status: "completed" };
  if (decision === "rejected") return { ...row, status: "rejected", error: "the approval was rejected" };
  return { ...row, status: "timeout", error: "no reviewer decided in time" };
}

function buildRunContext(execution: ExecutionRow, step: Step, row: StepRow, signal: AbortSignal): WaitContext {
  const { execution_id, playbook_id, requested_by, requesters, starters, alert_id, case_id, sites } = execution;
  const idempotencyKey = row.key;
  return {
    execution_id,
    playbook_id,
    step_id: step.id,
    actor: requested_by,
    requesters,
    starters: starters ?? requesters,
    alert_id,
    case_id,
    scope: sites ?? ALL_SITES,
    idempotencyKey,
    signal,
  };
}

/** Returns a storable copy: NUL and invalid characters, which PostgreSQL rejects, become U+FFFD. */
function plain(result: object): Record<string, unknown> {
  const value: unknown = JSON.parse(JSON.stringify(result), (_, held: unknown) =>
    typeof held === "string" ? Buffer.from(held.replaceAll("\0", "\ufffd"), "utf8").toString("utf8") : held,
  );
  return isRecord(value) ? value : { value };
}

function bounded(result: Record<string, unknown>): Record<string, unknown> {
  const isLarge = Buffer.byteLength(JSON.stringify(result)) > MAX_RESULT_BYTES;
  return isLarge ? { omitted: `larger than ${MAX_RESULT_BYTES} bytes` } : plain(result);
}
