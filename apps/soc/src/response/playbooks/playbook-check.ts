import { Problem } from "@kit/problem";
import type { TSchema } from "typebox";
import Value from "typebox/value";
import { AlertBody } from "../../alerts/alerts/alerts.schema.ts";
import { CaseBody } from "../../cases/cases/cases.schema.ts";
import type { ActionName, ActionTraits } from "../../foundation/actions/action.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import { buildDefinition, type Definition } from "./playbook.ts";
import { ALERT_ADDRESS } from "./playbook-inputs.ts";
import { type InputRequest, PlaybookRequest } from "./playbooks.schema.ts";
import { findMisfits, type Misfit, partAt, plainNames } from "./schema-check.ts";
import { parseWhen } from "./step-condition.ts";
import { placeholdersIn } from "./step-template.ts";

/** The facts about an action that the check needs. */
export interface KnownAction extends Pick<ActionTraits, "isCritical"> {
  name: ActionName;
  kind: "change" | "outside" | "wait";
  params: TSchema;
}
export type KnownActions = ReadonlyMap<string, KnownAction>;

export type CheckedPlaybook = { definition: Definition; misfits: [] } | { definition: undefined; misfits: Misfit[] };

type RequestedStep = PlaybookRequest["steps"][number];

const MAX_PARAMS = 16_384;
const EXECUTION_FIELDS = ["id", "playbook_id", "actor"];

/** Checks a playbook and reports all problems at once. */
export function checkPlaybook(id: string | undefined, written: unknown, actions: KnownActions): CheckedPlaybook {
  const shape = findMisfits(PlaybookRequest, written);
  if (shape.length > 0) return { definition: undefined, misfits: shape };
  const request = Value.Parse(PlaybookRequest, written);
  const misfits = [
    ...checkId(id, request.id),
    ...checkStorable(request),
    ...(request.inputs ?? []).flatMap((input, index, inputs) => checkInput(input, index, inputs)),
    ...request.steps.flatMap((step, index) => checkStep(step, index, request, actions)),
  ];
  if (misfits.length > 0) return { definition: undefined, misfits };
  return { definition: buildDefinition(id ?? request.id ?? "", request, actions), misfits: [] };
}

function checkId(id: string | undefined, written: string | undefined): Misfit[] {
  if (id === undefined && written === undefined) return [{ path: ["id"], message: "is required" }];
  if (id !== undefined && !/^[a-z][a-z0-9-]{0,79}$/.test(id)) {
    return [{ path: ["id"], message: "must be a text of the form ^[a-z][a-z0-9-]{0,79}$" }];
  }
  const isOther = id !== undefined && written !== undefined && id !== written;
  return isOther ? [{ path: ["id"], message: `must be '${id}' or absent` }] : [];
}

function checkStorable(value: unknown): Misfit[] {
  try {
    requireStorable({ value });
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [{ path: [], message: "contains a character that cannot be stored" }];
  }
}

function checkInput({ name, from }: InputRequest, index: number, inputs: readonly InputRequest[]): Misfit[] {
  const path = ["inputs", index];
  const isRepeated = inputs.slice(0, index).some((earlier) => earlier.name === name);
  const [unknown] = from && from !== ALERT_ADDRESS ? checkField(from, { steps: [], inputs: undefined }) : [];
  return [
    ...(isRepeated ? [{ path: [...path, "name"], message: `'${name}' is the name of an earlier input` }] : []),
    ...(unknown === undefined ? [] : [{ path: [...path, "from"], message: unknown }]),
  ];
}

/** The names that templates and conditions of a step may refer to. */
interface Names {
  /** The ids of earlier steps. */
  steps: readonly string[];
  /** The declared inputs; undefined if the playbook declares none and accepts any parameter name. */
  inputs: readonly string[] | undefined;
}

function checkStep(
  step: RequestedStep,
  index: number,
  { steps, inputs }: PlaybookRequest,
  actions: KnownActions,
): Misfit[] {
  const path = ["steps", index];
  const before: Names = {
    steps: steps.slice(0, index).map(({ id }) => id),
    inputs: inputs?.map(({ name }) => name),
  };
  const misfits: Misfit[] = [];
  if (before.steps.includes(step.id))
    misfits.push({ path: [...path, "id"], message: `'${step.id}' is the id of an earlier step` });
  misfits.push(...checkAction(step, path, before, actions), ...checkWhen(step.when ?? null, [...path, "when"], before));
  const { compensate } = step;
  if (!compensate) return misfits;
  const place = [...path, "compensate"];
  if (actions.get(compensate.action)?.kind === "wait") {
    misfits.push({
      path: [...place, "action"],
      message: `'${compensate.action}' waits, and a wait cannot compensate a step`,
    });
  }
  return [...misfits, ...checkAction(compensate, place, { ...before, steps: [...before.steps, step.id] }, actions)];
}

function checkAction(
  { action, params = {} }: Pick<RequestedStep, "action" | "params">,
  path: readonly (string | number)[],
  before: Names,
  actions: KnownActions,
): Misfit[] {
  const known = actions.get(action);
  if (!known)
    return [{ path: [...path, "action"], message: `must be one of ${[...actions.keys()].toSorted().join(", ")}` }];
  const place = [...path, "params"];
  if (JSON.stringify(params).length > MAX_PARAMS) {
    return [{ path: place, message: `must be at most ${MAX_PARAMS} characters of JSON` }];
  }
  const refused = findMisfits(known.params, params).filter((misfit) => !isOpen(params, misfit));
  const unknown = placeholdersIn(params).flatMap((field) => checkField(field, before));
  const templated = plainNames(known.params).filter((name) => placeholdersIn(params[name]).length > 0);
  return [
    ...templated.map((name) => ({ path: [...place, name], message: "must not have placeholders" })),
    ...refused.map((misfit) => ({ ...misfit, path: [...place, ...misfit.path] })),
    ...unknown.map((message) => ({ path: place, message })),
  ];
}

/** A template has no value until it is filled, and is checked again then. */
function isOpen(params: unknown, { path }: Misfit): boolean {
  return placeholdersIn(partAt(params, path)).length > 0;
}

function checkWhen(when: string | null, path: readonly (string | number)[], before: Names): Misfit[] {
  if (when === null) return [];
  try {
    return parseWhen(when)
      .fields.flatMap((field) => checkField(field, before))
      .map((message) => ({ path: [...path], message }));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [{ path: [...path], message: error.message }];
  }
}

/** Explains why a field of a template or condition can never have a value. */
function checkField(field: string, before: Names): string[] {
  const [root = "", name = ""] = field.split(".");
  if (root === "alert" && !Object.hasOwn(AlertBody.properties, name)) return [`'${field}' is not a field of an alert`];
  if (root === "case" && !Object.hasOwn(CaseBody.properties, name)) return [`'${field}' is not a field of a case`];
  if (root === "execution" && !EXECUTION_FIELDS.includes(name)) return [`'${field}' is not a field of an execution`];
  if (root === "steps" && !before.steps.includes(name)) return [`'${field}' does not name an earlier step`];
  if (root === "parameters" && before.inputs?.includes(name) === false)
    return [`'${field}' is not an input of the playbook`];
  return [];
}
