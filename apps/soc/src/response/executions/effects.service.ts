import { Problem } from "@kit/problem";
import type { Action, ActionContext, ActionTraits, Effect } from "../../foundation/actions/action.ts";
import type { ActionRegistry } from "../../foundation/actions/action-registry.ts";
import type { Scope as SiteScope } from "../../foundation/caller/caller.ts";
import type { Playbook, PlaybookInput, Step } from "../playbooks/playbook.ts";
import { findMisfits } from "../playbooks/schema-check.ts";
import { parseWhen } from "../playbooks/step-condition.ts";
import { fill, placeholdersIn, type Scope, toJsonFields } from "../playbooks/step-template.ts";
import type { StepEffect } from "./execution.ts";
import { readExecutionScope, type ScopeReads } from "./execution-scope.ts";
import { toShownEffect } from "./step-approval.ts";

/** The inputs of an execution, known before its first step. */
export interface Intent {
  execution_id: string;
  actor: string;
  alert_id: string | null;
  case_id: string | null;
  parameters: Record<string, unknown>;
}

/** Reads the alert and the case of an execution; both throw not_found. */
export interface ReadSubjects extends ScopeReads {
  alert(scope: SiteScope, alert_id: string): Promise<{ site: string | null; case_id: string | null }>;
  case(scope: SiteScope, case_id: string): Promise<object>;
}

/** What steps can refer to before the first step, and the sites in which they run. */
export interface Subjects {
  values: Scope;
  scope: SiteScope;
}

export interface EffectsServiceDeps {
  actions: ActionRegistry;
  subjects: ReadSubjects;
}
export type EffectsService = ReturnType<typeof createEffectsService>;

/** Describes the effect of each step of a playbook before it runs. */
export function createEffectsService({ actions, subjects }: EffectsServiceDeps) {
  async function describeStep(
    step: Step,
    before: readonly Step[],
    { scope, open }: KnownValues,
    context: ActionContext,
  ): Promise<StepEffect> {
    const used = listOpen(step, open);
    const toStepEffect = (effect: Effect) => ({
      step_id: step.id,
      ...toShownEffect(step, { ...effect, summary: `${effect.summary}${describeOpen(used)}` }),
    });
    const only = (summary: string) => toStepEffect({ summary, sends: [] });
    const action = actions.get(step.action);
    const params = filledForNow(step.params, scope, open);
    const earlier = before.map((each) => actions.get(each.action));
    const known = describeWithoutAction(step, earlier, { scope, open }, action, params);
    if (!action || known !== undefined) return only(known ?? "");
    try {
      const effect = await action.describe(params, context);
      // The action uses the name of a missing input as its value.
      return toStepEffect(used.length > 0 ? { summary: describeLater(step), sends: effect.sends } : effect);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const isLater = hasLater(params, open) || willCreateCase(earlier, context);
      return only(isLater ? describeLater(step) : `${step.name}: ${error.message}`);
    }
  }

  return {
    /** Throws if the alert or the case does not exist or is not visible to the caller. */
    async readSubjects(playbook_id: string, intent: Intent, caller: SiteScope): Promise<Subjects> {
      const { execution_id, actor, alert_id, case_id, parameters } = intent;
      const alert = alert_id === null ? undefined : await subjects.alert(caller, alert_id);
      if (case_id !== null) await subjects.case(caller, case_id);
      const scope = await readExecutionScope({ actor, caller, alert, case_id }, subjects);
      const own = case_id ?? alert?.case_id ?? null;
      // The case of an alert may have content of other sites, which the execution does not read.
      const found = own === null ? undefined : await subjects.case(scope, own).catch(ignoreUnknown);
      const execution = { id: execution_id, playbook_id, actor };
      return {
        values: { alert: toJsonFields(alert), case: toJsonFields(found), parameters, steps: {}, execution },
        scope,
      };
    },

    /** Describes the effects. `missing` lists inputs without a value; steps that use them are described without it. */
    async describe(
      { id, steps }: Pick<Playbook, "id" | "steps">,
      intent: Intent,
      { values, scope }: Subjects,
      missing: readonly Pick<PlaybookInput, "name">[] = [],
    ): Promise<StepEffect[]> {
      const known = { scope: values, open: missing.map(({ name }) => name) };
      // Only the execution's own case, as at run time: an action that needs the alert's case looks it up itself.
      const { execution_id, actor, alert_id, case_id } = intent;
      const effects: StepEffect[] = [];
      for (const [at, step] of steps.entries()) {
        const context = { execution_id, playbook_id: id, step_id: step.id, actor, alert_id, case_id, scope };
        effects.push(await describeStep(step, steps.slice(0, at), known, context));
      }
      return effects;
    },
  };
}

export function ignoreUnknown(error: unknown): undefined {
  if (!(error instanceof Problem && error.kind === "not_found")) throw error;
}

/** The values that are known before the first step, and the names of the inputs that have none yet. */
interface KnownValues {
  scope: Scope;
  open: readonly string[];
}

function describeLater({ name, action, params }: Step): string {
  return hasLater(params, []) ? `${name} (${action}, with results of earlier steps)` : `${name} (${action})`;
}

/** Lists the inputs without a value that the step uses. */
function listOpen({ params, when }: Step, open: readonly string[]): string[] {
  const fields = new Set([...placeholdersIn(params), ...(when === null ? [] : parseWhen(when).fields)]);
  return open.filter((name) => fields.has(`parameters.${name}`));
}

function describeOpen(names: readonly string[]): string {
  const list = names.map((name) => `'${name}'`).join(", ");
  if (names.length === 0) return "";
  return names.length === 1
    ? ` (the input ${list} is chosen at execution)`
    : ` (the inputs ${list} are chosen at execution)`;
}

type Earlier = readonly (ActionTraits | undefined)[];

function willCreateCase(earlier: Earlier, { case_id }: ActionContext): boolean {
  return case_id === null && earlier.some((action) => action?.opensCase);
}

function hasLater(value: unknown, open: readonly string[]): boolean {
  return placeholdersIn(value).some((field) => field.startsWith("steps.") || isOpen(field, open));
}

function isOpen(field: string, open: readonly string[]): boolean {
  return open.some((name) => field === `parameters.${name}`);
}

/** Describes a step without its action; undefined if the action must describe it. */
function describeWithoutAction(
  step: Step,
  earlier: Earlier,
  known: KnownValues,
  action: Action | undefined,
  params: Record<string, unknown>,
): string | undefined {
  if (!action) return `${step.name}: action '${step.action}' is not available`;
  if (isSkippedForSure(step, earlier, known)) return `${step.name}: skipped, because the condition is false`;
  const misfit = findMisfit(step, action, params);
  // Show the destination even if some values are not known yet, because an approval is bound to what was shown.
  if (hasLater(params, known.open))
    return action.kind === "outside" && misfit === undefined ? undefined : describeLater(step);
  return misfit;
}

function findMisfit({ name }: Step, action: Action, params: Record<string, unknown>): string | undefined {
  const [misfit] = findMisfits(action.params, params);
  return misfit && `${name}: ${["params", ...misfit.path].join(".")}: ${misfit.message}`;
}

/** Reports whether the step is certainly skipped: its condition is false, and no earlier step can change its fields. */
function isSkippedForSure({ when }: Step, earlier: Earlier, { scope, open }: KnownValues): boolean {
  if (when === null) return false;
  const condition = parseWhen(when);
  const isAlertKept = !earlier.some((action) => action?.changesAlert);
  const isKept = (field: string) =>
    (field.startsWith("parameters.") && !isOpen(field, open)) || (field.startsWith("alert.") && isAlertKept);
  return condition.fields.every(isKept) && !condition.holds(scope);
}

/** Fills the template except placeholders for results of earlier steps and for missing inputs. */
function filledForNow(params: Record<string, unknown>, scope: Scope, open: readonly string[]): Record<string, unknown> {
  const later = Object.fromEntries(Object.entries(params).filter(([, value]) => hasLater(value, open)));
  return { ...fill(params, scope), ...later };
}
