import { Problem } from "@kit/problem";
import type { Action, ActionContext, ActionTraits, Effect } from "../../foundation/actions/action.ts";
import type { ActionRegistry } from "../../foundation/actions/action-registry.ts";
import type { Playbook, Step } from "../playbooks/playbook.ts";
import { findMisfits } from "../playbooks/schema-check.ts";
import type { StepEffect } from "./execution.ts";
import { toShownEffect } from "./step-approval.ts";
import { parseWhen } from "./step-condition.ts";
import { toJsonFields } from "./step-scope.ts";
import { fill, placeholdersIn, type Scope } from "./step-template.ts";

/** The inputs of an execution, known before its first step. */
export interface Intent {
  execution_id: string;
  actor: string;
  alert_id: string | null;
  case_id: string | null;
  parameters: Record<string, unknown>;
}

/** Reads the alert and the case of an execution; both throw not_found. */
export interface ReadSubjects {
  alert(alert_id: string): Promise<object>;
  case(case_id: string): Promise<object>;
}

export interface EffectsServiceDeps {
  actions: ActionRegistry;
  subjects: ReadSubjects;
}
export type EffectsService = ReturnType<typeof createEffectsService>;

/** Describes what a playbook would do, step by step, before it runs. */
export function createEffectsService({ actions, subjects }: EffectsServiceDeps) {
  async function describeStep(
    step: Step,
    before: readonly Step[],
    scope: Scope,
    context: ActionContext,
  ): Promise<StepEffect> {
    const toStepEffect = (effect: Effect) => ({ step_id: step.id, ...toShownEffect(step, effect) });
    const only = (summary: string) => toStepEffect({ summary, sends: [] });
    const action = actions.get(step.action);
    const params = filledForNow(step.params, scope);
    const earlier = before.map((each) => actions.get(each.action));
    const known = describeWithoutAction(step, earlier, scope, action, params);
    if (!action || known !== undefined) return only(known ?? "");
    try {
      return toStepEffect(await action.describe(params, context));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const isLater = hasLater(params) || willCreateCase(earlier, context);
      return only(isLater ? describeLater(step) : `${step.name}: ${error.message}`);
    }
  }

  return {
    /** The values that steps can refer to before the first step. Refuses an alert or a case that does not exist. */
    async scope(playbook_id: string, intent: Intent): Promise<Scope> {
      const { execution_id, actor, alert_id, parameters } = intent;
      const alert = alert_id === null ? {} : toJsonFields(await subjects.alert(alert_id));
      const case_id = intent.case_id ?? (typeof alert.case_id === "string" ? alert.case_id : null);
      const found = case_id === null ? undefined : await subjects.case(case_id);
      return {
        alert,
        case: toJsonFields(found),
        parameters,
        steps: {},
        execution: { id: execution_id, playbook_id, actor },
      };
    },

    async describe({ id, steps }: Pick<Playbook, "id" | "steps">, intent: Intent, scope: Scope): Promise<StepEffect[]> {
      // Only the execution's own case, as at run time: an action that needs the alert's case looks it up itself.
      const { execution_id, actor, alert_id, case_id } = intent;
      const effects: StepEffect[] = [];
      for (const [at, step] of steps.entries()) {
        const context = { execution_id, playbook_id: id, step_id: step.id, actor, alert_id, case_id };
        effects.push(await describeStep(step, steps.slice(0, at), scope, context));
      }
      return effects;
    },
  };
}

function describeLater({ name, action }: Step): string {
  return `${name} (${action}, with results of earlier steps)`;
}

type Earlier = readonly (ActionTraits | undefined)[];

function willCreateCase(earlier: Earlier, { case_id }: ActionContext): boolean {
  return case_id === null && earlier.some((action) => action?.opensCase);
}

function hasLater(value: unknown): boolean {
  return placeholdersIn(value).some((field) => field.startsWith("steps."));
}

/** The description of a step that its action is not needed for; undefined when the action must describe it. */
function describeWithoutAction(
  step: Step,
  earlier: Earlier,
  scope: Scope,
  action: Action | undefined,
  params: Record<string, unknown>,
): string | undefined {
  if (!action) return `${step.name}: action '${step.action}' is not available`;
  if (isSkippedForSure(step, earlier, scope)) return `${step.name}: skipped, because the condition is false`;
  const misfit = findMisfit(step, action, params);
  // Show the destination even when some values are not known yet: an approval is bound to what was shown.
  if (hasLater(params)) return action.kind === "outside" && misfit === undefined ? undefined : describeLater(step);
  return misfit;
}

function findMisfit({ name }: Step, action: Action, params: Record<string, unknown>): string | undefined {
  const [misfit] = findMisfits(action.params, params);
  return misfit && `${name}: ${["params", ...misfit.path].join(".")}: ${misfit.message}`;
}

/** Whether the step is certain to be skipped: its condition is false, and no earlier step can change its fields. */
function isSkippedForSure({ when }: Step, earlier: Earlier, scope: Scope): boolean {
  if (when === null) return false;
  const condition = parseWhen(when);
  const isAlertKept = !earlier.some((action) => action?.changesAlert);
  const isKept = (field: string) => field.startsWith("parameters.") || (field.startsWith("alert.") && isAlertKept);
  return condition.fields.every(isKept) && !condition.holds(scope);
}

/** Fills the template; placeholders for results of earlier steps stay unfilled. */
function filledForNow(params: Record<string, unknown>, scope: Scope): Record<string, unknown> {
  const later = Object.fromEntries(Object.entries(params).filter(([, value]) => hasLater(value)));
  return { ...fill(params, scope), ...later };
}
