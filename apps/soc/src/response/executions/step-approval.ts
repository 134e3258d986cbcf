import { canonicalJson } from "@kit/query/canonical-json";
import type { ActionContext, Effect, OutsideAction } from "../../foundation/actions/action.ts";
import type { StepApprovals, StepRequest } from "../approvals/approval-port.ts";
import type { Step } from "../playbooks/playbook.ts";
import { fill, type Scope } from "../playbooks/step-template.ts";
import type { ExecutionRow, StepRow } from "./execution.ts";

/** Replaces the id in effects, so that the same effect always looks the same. */
export const NO_ID_YET = "{execution.id}";

/** A critical action as an approval shows it: without the id of the execution and the case that it opened. */
export interface CriticalCall {
  params: unknown;
  context: ActionContext;
  /** The effect that the approval of the execution showed for this step. */
  approved: Effect | undefined;
}

/** The part of a run that its approval was requested for. */
export interface CriticalStep {
  execution: ExecutionRow;
  step: Step;
  part: StepRow["part"];
  template: Record<string, unknown>;
  scope: Scope;
  /** Whether a step of the execution opened its case, which no approval could show. */
  hasOpenedCase: boolean;
}

export function buildCriticalCall(critical: CriticalStep): CriticalCall {
  const { execution, step, part, template, scope, hasOpenedCase } = critical;
  const { playbook_id, requested_by: actor, alert_id, approved_effects } = execution;
  const case_id = hasOpenedCase ? null : execution.case_id;
  return {
    params: fill(template, { ...scope, execution: { ...scope.execution, id: NO_ID_YET } }),
    context: { execution_id: NO_ID_YET, playbook_id, step_id: step.id, actor, alert_id, case_id },
    // An approval shows the steps of a playbook, not their compensations: each of those is asked for.
    approved: part === "step" ? approved_effects?.find(({ step_id }) => step_id === step.id) : undefined,
  };
}

/** The effect as reviewers see it, with the condition of its step. */
export function toShownEffect({ when }: Pick<Step, "when">, { summary, sends }: Effect): Effect {
  return { summary: when === null ? summary : `If ${when}: ${summary}`, sends };
}

/**
 * The effect of the action if no person has approved exactly it; otherwise undefined. Call it outside a transaction: an
 * action reads other records to describe itself.
 */
export async function findUnapproved(
  { row, step, action }: { row: StepRow; step: Step; action: Pick<OutsideAction, "describe"> },
  { params, context, approved }: CriticalCall,
  approvals: Pick<StepApprovals, "findShown">,
): Promise<Effect | undefined> {
  const described = await action.describe(params, context);
  const effect = row.part === "step" ? toShownEffect(step, described) : described;
  const shown = row.approval_id === null ? approved : (await approvals.findShown(row.approval_id))?.[0];
  return shown && isSame(effect, shown) ? undefined : effect;
}

function isSame(one: Effect, other: Effect): boolean {
  return toComparable(one) === toComparable(other);
}

/** As stored: a field without a value is left out. */
function toComparable({ summary, sends }: Effect): string {
  return canonicalJson(JSON.parse(JSON.stringify({ summary, sends })));
}

export function buildStepRequest(execution: ExecutionRow, step: Step, row: StepRow, effect: Effect): StepRequest {
  const { execution_id, playbook_id, alert_id, case_id, approval_id, requested_by, requesters } = execution;
  const isStep = row.part === "step";
  return {
    ...{ execution_id, playbook_id, alert_id, case_id, requested_by, requesters },
    started_with: approval_id,
    action: isStep ? `Run step '${step.name}'` : `Undo step '${step.name}'`,
    justification: isStep
      ? "What the step does was not known, or was different, when the playbook was approved."
      : "The playbook did not finish, and undoing the step is critical. Without an approval it stays as it is.",
    key: row.key,
    effect: [effect],
  };
}
