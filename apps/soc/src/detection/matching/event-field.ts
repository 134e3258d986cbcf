import { invalidField } from "@kit/problem";
import type { Condition, Field } from "@kit/query/condition";
import { toAttributeName } from "@kit/query/condition-field";
import { isLogField } from "@kit/query/log-field";
import { createAttributeTest } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";

const ATTRIBUTES = "attributes.";

/** Parses a field name such as host or attributes.process.name; `place` names the location of the field in errors. */
export function parseEventField(name: string, place: string): Field {
  if (isLogField(name)) return { name };
  if (!name.startsWith(ATTRIBUTES)) {
    throw invalidField(place, `'${name}' is not a field of a log; write attributes as ${ATTRIBUTES}name`);
  }
  const attribute = name.slice(ATTRIBUTES.length).split(".");
  toAttributeName(attribute);
  return { attribute };
}

/** The values of the field as texts: one, none if it is empty, or several if the attribute is a list. */
export function readTexts(field: Field, log: LogEvent): string[] {
  if ("name" in field) return [String(log[field.name])].filter((text) => text !== "");
  const texts: string[] = [];
  createAttributeTest(field.attribute, (text) => {
    if (text !== "") texts.push(text);
    return false;
  })(log);
  return texts;
}

/** The condition that the field equals this text, case-sensitively. */
export function equals(field: Field, text: string): Condition {
  return { kind: "text", field, pattern: [{ text }], isCased: true };
}
