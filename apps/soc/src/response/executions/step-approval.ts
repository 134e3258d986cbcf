import { canonicalJson } from "@kit/query/canonical-json";
import { type ActionContext, type Effect, type OutsideAction, toBoundEffect } from "../../foundation/actions/action.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { StepApprovals, StepRequest } from "../approvals/approval-port.ts";
import type { Step } from "../playbooks/playbook.ts";
import { fill, type Scope } from "../playbooks/step-template.ts";
import type { ExecutionRow, StepRow } from "./execution.ts";

/** Replaces the id in effects, so that the same effect always looks the same. */
export const NO_ID_YET = "{execution.id}";

/** A critical action as an approval shows it, without the id of the execution and of the case that it opened. */
export interface CriticalCall {
  params: unknown;
  context: ActionContext;
  /** The effect that the execution's approval showed for this step. */
  approved: Effect | undefined;
}

/** The part of a run that an approval was requested for. */
export interface CriticalStep {
  execution: ExecutionRow;
  step: Step;
  part: StepRow["part"];
  template: Record<string, unknown>;
  scope: Scope;
  /** Whether a step of the execution opened its case, which no approval could show in advance. */
  hasOpenedCase: boolean;
}

export function buildCriticalCall(critical: CriticalStep): CriticalCall {
  const { execution, step, part, template, scope, hasOpenedCase } = critical;
  const { playbook_id, requested_by: actor, alert_id, approved_effects, sites } = execution;
  const case_id = hasOpenedCase ? null : execution.case_id;
  return {
    params: fill(template, { ...scope, execution: { ...scope.execution, id: NO_ID_YET } }),
    context: {
      execution_id: NO_ID_YET,
      playbook_id,
      step_id: step.id,
      actor,
      alert_id,
      case_id,
      scope: sites ?? ALL_SITES,
    },
    // An approval shows the steps of a playbook, not their compensations: each of those is asked for.
    approved: part === "step" ? approved_effects?.find(({ step_id }) => step_id === step.id) : undefined,
  };
}

/** The effect as reviewers see it, with the condition of its step. */
export function toShownEffect({ when }: Pick<Step, "when">, effect: Effect): Effect {
  return when === null ? effect : { ...effect, summary: `If ${when}: ${effect.summary}` };
}

/**
 * Returns the effect of the action unless a person approved exactly this effect. Call it outside a transaction, because
 * an action reads other records to describe itself.
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
function toComparable(effect: Effect): string {
  return canonicalJson(JSON.parse(JSON.stringify(toBoundEffect(effect))));
}

export function buildStepRequest(execution: ExecutionRow, step: Step, row: StepRow, effect: Effect): StepRequest {
  const { execution_id, playbook_id, alert_id, case_id, approval_id, requested_by, requesters, starters } = execution;
  const isStep = row.part === "step";
  return {
    ...{ execution_id, playbook_id, alert_id, case_id, requested_by, requesters, starters: starters ?? undefined },
    started_with: approval_id,
    action: isStep ? `Run step '${step.name}'` : `Undo step '${step.name}'`,
    justification: isStep
      ? "The effect of the step was unknown or different when the playbook was approved."
      : "The playbook did not finish, and undoing the step is critical. Without an approval the step is not undone.",
    key: row.key,
    effect: [effect],
  };
}
