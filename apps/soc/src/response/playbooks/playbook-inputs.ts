import { invalidField } from "@kit/problem";
import { type Scope, valueAt } from "../executions/step-template.ts";
import type { PlaybookInput } from "./playbook.ts";

const DESCRIPTIONS: Readonly<Record<PlaybookInput["type"], string>> = {
  text: "a text",
  number: "a number",
  boolean: "true or false",
  list: "a list of texts",
};

/** Adds the inputs that the parameters leave out and that the alert or the case has. */
export function fillInputs(
  inputs: readonly PlaybookInput[],
  parameters: Record<string, unknown>,
  scope: Pick<Scope, "alert" | "case">,
): Record<string, unknown> {
  const found = inputs.map(({ name, from }): [string, unknown] => {
    const given = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    return [name, isEmpty(given) && from !== null ? valueAt(scope, from) : given];
  });
  return { ...parameters, ...Object.fromEntries(found.filter(([, value]) => !isEmpty(value))) };
}

/** Refuses filled parameters that lack a required input, or have one of another type. */
export function requireInputs(inputs: readonly PlaybookInput[], parameters: Record<string, unknown>): void {
  for (const { name, type, required, from } of inputs) {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (isEmpty(value)) {
      const source = from === null ? "" : `, because ${from} has no value`;
      if (required) throw invalidField(`parameters.${name}`, `is required${source}`);
    } else if (!isOfType(type, value)) {
      throw invalidField(`parameters.${name}`, `must be ${DESCRIPTIONS[type]}`);
    }
  }
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isOfType(type: PlaybookInput["type"], value: unknown): boolean {
  if (type === "text") return typeof value === "string";
  if (type === "list") return Array.isArray(value) && value.every((each) => typeof each === "string");
  return typeof value === type;
}
