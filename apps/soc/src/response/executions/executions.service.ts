import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Permission } from "../../foundation/caller/permissions.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { Approval, MissingInput } from "../approvals/approval.ts";
import type { ApprovalGate } from "../approvals/approval-port.ts";
import type { Playbook } from "../playbooks/playbook.ts";
import { type ActionNeeds, requireStepPermissions } from "../playbooks/playbook-permissions.ts";
import type { PlaybooksService } from "../playbooks/playbooks.service.ts";
import { createPlaybooksWriter } from "../playbooks/playbooks.store.ts";
import type { EffectsService } from "./effects.service.ts";
import {
  type Execution,
  type ExecutionDetail,
  type ExecutionRow,
  isCompensating,
  isOver,
  mayNeedCompensation,
  type StepDecision,
  type StepEffect,
} from "./execution.ts";
import {
  createExecutionPlans,
  type ExecuteCall,
  type ExecutePlan,
  type ExecutionRequest,
  requireEnabled,
  toEffects,
} from "./execution-plans.ts";
import type { ListExecutionsQuery, PendingApproval, StartedExecution } from "./executions.schema.ts";
import { createExecutionsWriter, type ExecutionsStore } from "./executions.store.ts";

export interface ExecutionsServiceDeps {
  runtime: Pick<RuntimeService, "choose" | "truth">;
  stores: { database: ExecutionsStore; showcase: ExecutionsStore };
  gate: ApprovalGate;
  playbooks: Pick<PlaybooksService, "get">;
  actions: ActionNeeds;
  effects: EffectsService;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type ExecutionsService = ReturnType<typeof createExecutionsService>;

/** A start without an HTTP request. */
export interface AskedStart {
  playbook_id: string;
  actor: string;
  alert_id: string | null;
  case_id: string | null;
  parameters: Record<string, unknown>;
  /** Additional people who count as requesters, such as the authors of an automation. */
  requesters: readonly string[];
  /** What the person who bound the playbook may do; null if an earlier release did not store it. */
  permissions: readonly Permission[] | null;
  /** Whether it may start a critical playbook. */
  mayExecute: boolean;
}

export interface ExecuteResult {
  answer: StartedExecution | PendingApproval;
  /** The effect of each step, for previews. */
  effects: StepEffect[];
}

export function createExecutionsService(deps: ExecutionsServiceDeps) {
  const { runtime, stores, gate, playbooks, actions, audit, clock } = deps;
  const plans = createExecutionPlans(deps);

  async function hold(tx: Tx, id: string): Promise<Playbook> {
    const playbook = await createPlaybooksWriter(tx).hold(id);
    if (!playbook) throw notFound("playbook", id);
    requireEnabled(playbook);
    return playbook;
  }

  async function begin(tx: Tx, playbook: Playbook, beginning: ExecutionRequest): Promise<StartedExecution> {
    const now = clock.now();
    const { execution_id, actor, alert_id, case_id, parameters, approval_id, simulated } = beginning;
    const { requesters, starters, approved_effects, scope, requested_by = actor } = beginning;
    const row: ExecutionRow = {
      execution_id,
      playbook_id: playbook.id,
      playbook_name: playbook.name,
      playbook_version: playbook.version,
      steps: playbook.steps,
      sites: scope === ALL_SITES ? null : [...scope],
      status: "queued",
      simulated,
      alert_id,
      case_id,
      parameters,
      approval_id,
      requested_by,
      requesters,
      starters,
      approved_effects,
      steps_completed: 0,
      steps_total: playbook.steps.length,
      error: null,
      created_at: now,
      started_at: null,
      finished_at: null,
      updated_at: now,
      due_at: now,
      continuation: 0,
      handed_out_at: null,
      owner: null,
      failures: 0,
      cancelled_by: null,
      abandoned: false,
    };
    await createExecutionsWriter(tx).insert(row);
    await audit.record(tx, {
      actor,
      action: "execution.created",
      subject_type: "execution",
      subject_id: execution_id,
      details: { playbook_id: playbook.id, version: playbook.version, alert_id, case_id, approval_id, simulated },
    });
    return toStarted(row);
  }

  async function ask(
    tx: Tx,
    playbook: Playbook,
    { beginning, effects: effectsShown, missing }: ExecutePlan,
  ): Promise<Approval> {
    const { alert_id, case_id, parameters, actor, requesters, starters } = beginning;
    return gate.request(tx, {
      kind: "playbook",
      playbook_id: playbook.id,
      playbook_version: playbook.version,
      action: `Run playbook '${playbook.name}'`,
      justification: playbook.description,
      alert_id,
      case_id,
      // The steps may concern any site.
      site: null,
      parameters,
      missing_inputs: missing,
      effect: toEffects(effectsShown),
      requested_by: actor,
      requesters,
      starters,
      ...(playbook.approval && { policy: playbook.approval }),
    });
  }

  /** Consumes the approval and starts the execution, or returns why this is not possible. */
  async function consumeApproval(tx: Tx, playbook: Playbook, planned: ExecutePlan, approval_id: string) {
    const { call, scope, beginning, use, effects: effectsShown } = planned;
    const { parameters, alert_id, case_id } = call.body;
    const used = await gate.use(tx, {
      approval_id,
      kind: "playbook",
      playbook_id: playbook.id,
      playbook_version: playbook.version,
      parameters,
      alert_id,
      case_id,
      effect: use.shown,
      inputs: use.inputs,
      caller: beginning.actor,
      scope,
      execution_id: beginning.execution_id,
    });
    switch (used.outcome) {
      case "pending":
        return toPendingApproval(playbook, used.approval.id, used.approval.missing_inputs);
      case "before": {
        const before = await createExecutionsWriter(tx).find(used.execution_id);
        if (!before) throw notFound("execution", used.execution_id);
        return toStarted(before);
      }
      case "used": {
        const { approval } = used;
        return begin(tx, playbook, {
          ...beginning,
          alert_id: approval.alert_id,
          case_id: approval.case_id,
          parameters: approval.parameters,
          approval_id: approval.id,
          requested_by: approval.requested_by,
          approved_effects: effectsShown,
          requesters: [...new Set([...beginning.requesters, ...approval.requesters])],
          starters: [...new Set([...beginning.starters, ...(approval.starters ?? approval.requesters)])],
        });
      }
      default:
        return used satisfies never;
    }
  }

  async function buildAnswer(tx: Tx, playbook: Playbook, planned: ExecutePlan) {
    const { call, beginning, missing } = planned;
    const { dry_run = false } = call.body;
    if (!playbook.critical) return dry_run ? toQueuedAnswer(playbook, beginning) : begin(tx, playbook, beginning);
    if (dry_run) return toPendingApproval(playbook, null, missing);
    if (call.approvalId !== undefined) return consumeApproval(tx, playbook, planned, call.approvalId);
    return toPendingApproval(playbook, (await ask(tx, playbook, planned)).id, missing);
  }

  async function execute(tx: Tx, planned: ExecutePlan): Promise<ExecuteResult> {
    const playbook = await hold(tx, planned.call.playbookId);
    if (playbook.version !== planned.version) {
      throw new Problem(
        "conflict",
        `playbook '${playbook.id}' was changed concurrently; review the new version and repeat the call`,
      );
    }
    return { answer: await buildAnswer(tx, playbook, planned), effects: planned.effects };
  }

  return {
    async list(query: ListExecutionsQuery): Promise<Page<Execution>> {
      requireStorable(query);
      return (await runtime.choose(stores)).list(query);
    },

    async get(execution_id: string): Promise<ExecutionDetail> {
      const found = await (await runtime.choose(stores)).find(execution_id);
      if (!found) throw notFound("execution", execution_id);
      return found;
    },

    async plan(caller: Caller, call: ExecuteCall): Promise<ExecutePlan> {
      requireStepPermissions(caller, await playbooks.get(call.playbookId), actions);
      return plans.plan(caller, call);
    },

    planDecision: (...planned: Parameters<typeof plans.planDecision>) => plans.planDecision(...planned),

    /** Executes for all callers in the same way. With `dry_run` stores no file and no approval is requested. */
    execute,

    /** Starts for callers without an HTTP request, such as automations, through the same approval gate. */
    async start(tx: Tx, asked: AskedStart): Promise<{ execution_id: string } | { approval_id: string }> {
      const { playbook_id, actor, alert_id, case_id, parameters, requesters, mayExecute } = asked;
      const author: Caller = { kind: "user", username: actor, role: "agent", scopes: asked.permissions ?? [] };
      requireStepPermissions(author, await playbooks.get(playbook_id), actions);
      const body = { parameters, ...(alert_id !== null && { alert_id }), ...(case_id !== null && { case_id }) };
      const planned = await plans.plan({ username: actor }, { playbookId: playbook_id, body }, requesters);
      const { answer } = await execute(tx, planned);
      if ("execution_id" in answer) return { execution_id: answer.execution_id };
      if (!mayExecute) throw refuseCritical(playbook_id);
      if (answer.approval_id === null) throw new Error("a request without a preview has no approval");
      return { approval_id: answer.approval_id };
    },

    /** Starts an approved playbook on behalf of its requester. Idempotent. */
    async startApproved(
      tx: Tx,
      { playbook_id, approval_id, actor }: { playbook_id: string; approval_id: string; actor: string },
    ): Promise<void> {
      const call = { playbookId: playbook_id, approvalId: approval_id, body: {} };
      await execute(tx, await plans.plan({ username: actor }, call));
    },

    /** Starts no further step. Completed steps with a compensation are compensated before the execution ends. */
    async cancel(tx: Tx, caller: Caller, execution_id: string): Promise<Execution> {
      const writer = createExecutionsWriter(tx);
      // Lock the approval before the execution, in the same order as a decision, to avoid deadlocks.
      const awaited = await writer.findAwaited(execution_id);
      if (awaited !== undefined) await gate.withdraw(tx, awaited, caller.username);
      const current = await writer.lock(execution_id);
      if (!current) throw notFound("execution", execution_id);
      if (isOver(current.status)) throw new Problem("conflict", `execution '${execution_id}' is ${current.status}`);
      const now = await writer.findAwaited(execution_id);
      if (now !== undefined && now !== awaited) {
        throw new Problem("conflict", `execution '${execution_id}' has just resumed; repeat the call`);
      }
      const steps = await writer.listSteps(execution_id);
      if (isCompensating(steps)) {
        throw new Problem("conflict", `execution '${execution_id}' is being compensated, which cannot be cancelled`);
      }
      const isCompensated = mayNeedCompensation(current, steps);
      await writer.cancel(current, { by: caller.username, isCompensated, now: clock.now() });
      await audit.record(tx, {
        actor: caller.username,
        action: "execution.cancelled",
        subject_type: "execution",
        subject_id: execution_id,
        details: { playbook_id: current.playbook_id, previous_status: current.status },
      });
      const cancelled = await writer.find(execution_id);
      if (!cancelled) throw notFound("execution", execution_id);
      return cancelled;
    },

    /** Resumes the execution in the transaction of the decision, if it still waits. */
    async resume(tx: Tx, execution_id: string, decision: StepDecision): Promise<void> {
      await createExecutionsWriter(tx).decideStep(execution_id, decision);
    },
  };
}

function refuseCritical(id: string): Problem {
  return new Problem(
    "forbidden",
    `playbook '${id}' is critical, and the caller who bound it did not have soar:execute`,
  );
}

function toStarted(execution: Omit<StartedExecution, "id" | "requires_approval">): StartedExecution {
  const { execution_id, playbook_id, playbook_name, status, steps_completed, steps_total } = execution;
  return {
    id: execution_id,
    execution_id,
    playbook_id,
    playbook_name,
    status,
    steps_completed,
    steps_total,
    requires_approval: false,
  };
}

function toQueuedAnswer({ id, name, steps }: Playbook, { execution_id }: ExecutionRequest): StartedExecution {
  return toStarted({
    execution_id,
    playbook_id: id,
    playbook_name: name,
    status: "queued",
    steps_completed: 0,
    steps_total: steps.length,
  });
}

function toPendingApproval(
  { id, name, steps }: Playbook,
  approval_id: string | null,
  missing_inputs: readonly MissingInput[],
): PendingApproval {
  const missing = missing_inputs.map((input) => input.name).join(", ");
  return {
    playbook_id: id,
    playbook_name: name,
    status: "pending_approval",
    approval_id,
    requires_approval: true,
    steps_total: steps.length,
    missing_inputs: [...missing_inputs],
    message: [
      "This playbook is critical: after the approval, repeat the call with approval_id.",
      ...(missing === "" ? [] : [`Missing inputs: ${missing}. Set them with the decision or in the repeated call.`]),
    ].join(" "),
  };
}
