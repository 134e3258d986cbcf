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

const TYPES: readonly PlaybookInput["type"][] = ["text", "number", "boolean", "list"];

/** Every field of an alert that has a value, with each type of input that takes the value: `alert.host text`. */
export function listFilled(alert: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(alert).flatMap(([field, value]) =>
    isEmpty(value) ? [] : TYPES.filter((type) => isOfType(type, value)).map((type) => `alert.${field} ${type}`),
  );
}

/** Whether a playbook takes values from its alert, and the alert has all that it requires. */
export function fitsAlert(inputs: readonly PlaybookInput[], filled: readonly string[]): boolean {
  const taken = inputs.filter(({ from }) => from?.startsWith("alert."));
  return taken.length > 0 && taken.every(({ required, from, type }) => !required || filled.includes(`${from} ${type}`));
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
