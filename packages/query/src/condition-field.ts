import { invalidField } from "@kit/problem";
import type { Field } from "./condition.ts";
import { isLogField } from "./log-field.ts";

const ATTRIBUTES = "attributes.";

/** The field of a log with this name, or the attribute with this path; undefined without one. */
export function findField(name: string): Field | undefined {
  if (isLogField(name)) return { name };
  if (!name.startsWith(ATTRIBUTES)) return undefined;
  const attribute = name.slice(ATTRIBUTES.length).split(".");
  toAttributeName(attribute);
  return { attribute };
}

const MAX_NAME = 512;

/**
 * The canonical name of an attribute. The log store does not distinguish `{"a.b": 1}` from `{"a": {"b": 1}}`, so a
 * condition does not either. The store reads a few names as a type or as a part of an object; these are refused rather
 * than misread.
 */
export function toAttributeName(path: readonly string[]): string {
  const name = path.join(".");
  if (name === "") throw invalidField("attributes", "a name must not be empty");
  if (name.length > MAX_NAME) {
    throw invalidField("attributes", `a name must have at most ${MAX_NAME} characters`);
  }
  if (/[:^@]`/.test(name)) {
    throw invalidField("attributes", "a name must not have a backtick after a colon, a caret or an at sign");
  }
  return name;
}

/** Two fields with the same key hold the same values. */
export function keyOf(field: Field): string {
  return "name" in field ? field.name : `attributes.${field.attribute.join(".")}`;
}
