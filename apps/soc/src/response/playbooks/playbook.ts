import type { Static } from "typebox";
import type { ActionName, ActionTraits } from "../../foundation/actions/action.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { decodeCursor } from "../../foundation/lists/page.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type {
  InputRequest,
  PlaybookBody,
  PlaybookInputBody,
  PlaybookRequest,
  PlaybookVersionBody,
  StepRequest,
} from "./playbooks.schema.ts";

export interface Compensation {
  action: ActionName;
  params: Record<string, unknown>;
}

export interface Step {
  id: string;
  name: string;
  action: ActionName;
  params: Record<string, unknown>;
  /** A condition in the query language over alert, case, parameters and steps; null means always. */
  when: string | null;
  timeout_s: number;
  /** How often an unavailable action is retried. */
  retries: number;
  on_error: "stop" | "continue" | "compensate";
  /** Undoes the step when a later step fails with `on_error: compensate`. */
  compensate: Compensation | null;
}

/** A value that the playbook needs: a parameter, or a field of its alert or case. */
export type PlaybookInput = Static<typeof PlaybookInputBody>;

export interface Playbook extends Omit<Static<typeof PlaybookBody>, "steps"> {
  steps: Step[];
}

export interface PlaybookRow extends Playbook {
  /** The release of the built-in playbook that it was last copied from; 0 for a user's own playbook. */
  release: number;
  /** A user has changed it, so newer releases do not overwrite it. */
  is_edited: boolean;
}

export interface PlaybookVersion extends Omit<Static<typeof PlaybookVersionBody>, "playbook"> {
  playbook: Playbook;
}

/** The part of a playbook that users write, with defaults filled in; the platform adds the rest. */
export type Definition = Pick<
  Playbook,
  "id" | "name" | "description" | "critical" | "trigger" | "inputs" | "approval" | "steps"
>;

const TIMEOUT_S = 60;
const RETRIES = 2;

export type CriticalActions = ReadonlyMap<string, Pick<ActionTraits, "isCritical">>;

/** Reports whether a step or a compensation uses an action that always needs approval. */
export function isForcedCritical(
  steps: readonly Pick<Step, "action" | "compensate">[],
  actions: CriticalActions,
): boolean {
  return steps.some(({ action, compensate }) =>
    [action, compensate?.action].some((name) => name !== undefined && actions.get(name)?.isCritical === true),
  );
}

export function buildDefinition(id: string, written: PlaybookRequest, actions: CriticalActions): Definition {
  const steps = written.steps.map(buildStep);
  return {
    id,
    name: written.name,
    description: written.description ?? "",
    critical: (written.critical ?? false) || isForcedCritical(steps, actions),
    trigger: written.trigger ?? "",
    inputs: (written.inputs ?? []).map(buildInput),
    approval: written.approval ?? null,
    steps,
  };
}

function buildInput({ name, type, required, from, description }: InputRequest): PlaybookInput {
  return {
    name,
    type: type ?? "text",
    required: required ?? true,
    from: from ?? null,
    description: description ?? "",
  };
}

function buildStep(step: StepRequest): Step {
  const { compensate } = step;
  return {
    id: step.id,
    name: step.name ?? step.id,
    action: step.action,
    params: step.params ?? {},
    when: step.when ?? null,
    timeout_s: step.timeout_s ?? TIMEOUT_S,
    retries: step.retries ?? RETRIES,
    on_error: step.on_error ?? "stop",
    compensate: compensate ? { action: compensate.action, params: compensate.params ?? {} } : null,
  };
}

export function definitionIn(definition: Definition): Definition {
  const { id, name, description, critical, trigger, inputs, approval, steps } = definition;
  return { id, name, description, critical, trigger, inputs, approval, steps };
}

/** Compares what users write; the order of keys inside an object does not matter. */
export function isSameDefinition(one: Definition, other: Definition): boolean {
  return canonical(definitionIn(one)) === canonical(definitionIn(other));
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  );
}

/** The sort order of lists. */
export const ORDER = "id";

/** Returns the id in the cursor of a list. */
export function idAfter({ cursor }: PageQuery): string | undefined {
  if (cursor === undefined) return undefined;
  const id = String(decodeCursor(ORDER, cursor)[0]);
  requireStorable({ cursor: id });
  return id;
}
