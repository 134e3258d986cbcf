import { isIP } from "node:net";
import { invalidField } from "@kit/problem";
import type { PlaybookInput } from "./playbook.ts";
import { isRecord, type Scope, valueAt } from "./step-template.ts";

const DESCRIPTIONS: Readonly<Record<PlaybookInput["type"], string>> = {
  text: "a text",
  number: "a number",
  boolean: "true or false",
  list: "a list of texts",
};

/** Adds omitted inputs from the alert or the case. An input without a value stays absent. */
export function fillInputs(
  inputs: readonly PlaybookInput[],
  parameters: Record<string, unknown>,
  scope: Pick<Scope, "alert" | "case">,
): Record<string, unknown> {
  const fields = { ...scope, alert: toInputFields(scope.alert) };
  const found = inputs.map(({ name, from }): [string, unknown] => {
    const given = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    return [name, isEmpty(given) && from !== null ? valueAt(fields, from) : given];
  });
  const declared = new Set(inputs.map(({ name }) => name));
  const others = Object.entries(parameters).filter(([name]) => !declared.has(name));
  return Object.fromEntries([...others, ...found.filter(([, value]) => !isEmpty(value))]);
}

/** Returns the parameters that have a value. */
export function listStated(parameters: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => !isEmpty(value)));
}

/** A field only for inputs: the address that the alert is about. */
export const ALERT_ADDRESS = "alert.address";

/**
 * Returns the fields of an alert for inputs. `address` is the first IP address of its `iocs`, else its only address.
 */
function toInputFields(alert: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { iocs } = alert;
  const addresses = valueAt({ alert }, "alert.entities.addresses");
  const listed: readonly unknown[] = Array.isArray(addresses) ? addresses : [];
  const [only, ...others] = listed;
  const ioc: unknown = Array.isArray(iocs)
    ? iocs.find((each) => typeof each === "string" && isIP(each) !== 0)
    : undefined;
  const address = ioc ?? (others.length === 0 && isRecord(only) ? only.name : undefined);
  return { ...alert, address };
}

const TYPES: readonly PlaybookInput["type"][] = ["text", "number", "boolean", "list"];

/** Lists every field of an alert with a value, with each matching input type: `alert.host text`. */
export function listFilled(alert: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(toInputFields(alert)).flatMap(([field, value]) =>
    isEmpty(value) ? [] : TYPES.filter((type) => isOfType(type, value)).map((type) => `alert.${field} ${type}`),
  );
}

/** Reports whether a playbook takes values from its alert and the alert has all that it requires. */
export function fitsAlert(inputs: readonly PlaybookInput[], filled: readonly string[]): boolean {
  const taken = inputs.filter(({ from }) => from?.startsWith("alert."));
  return taken.length > 0 && taken.every(({ required, from, type }) => !required || filled.includes(`${from} ${type}`));
}

/** Throws if a required input is missing or has another type. */
export function requireInputs(inputs: readonly PlaybookInput[], parameters: Record<string, unknown>): void {
  requireTypes(inputs, parameters);
  const [missing] = listMissing(inputs, parameters);
  if (!missing) return;
  const { name, from } = missing;
  const source = from === null ? "" : `, because ${from} has no value`;
  throw invalidField(`parameters.${name}`, `is required${source}`);
}

/** Throws for an input of another type. */
export function requireTypes(
  inputs: readonly Pick<PlaybookInput, "name" | "type">[],
  parameters: Record<string, unknown>,
): void {
  for (const { name, type } of inputs) {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (isEmpty(value) || isOfType(type, value)) continue;
    throw invalidField(`parameters.${name}`, `must be ${DESCRIPTIONS[type]}`);
  }
}

/** Returns the required inputs that the filled parameters lack. */
export function listMissing(inputs: readonly PlaybookInput[], parameters: Record<string, unknown>): PlaybookInput[] {
  return inputs.filter(
    ({ name, required }) => required && isEmpty(Object.hasOwn(parameters, name) ? parameters[name] : undefined),
  );
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
