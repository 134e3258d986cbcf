import { invalidField } from "@kit/problem";
import { describeExpectation } from "@kit/problem/expectation";
import type { TObject, TSchema } from "typebox";
import Value from "typebox/value";
import { COMMAND_TARGETS, MAX_STEPS, PLAYABLE_TARGETS, type StartTarget, Target } from "./target.schema.ts";

const KINDS = new Map<unknown, TObject>(Object.entries(PLAYABLE_TARGETS));
const COMMANDS = new Map<unknown, TObject>(Object.entries(COMMAND_TARGETS));
const STEP_TYPES = [...KINDS.keys(), "command"];
const CONTROL_CHARACTER = /\p{Cc}/u;
const WEB_ADDRESS = /^https?:\/\//i;

/** Reads a target from a request: drops unknown fields, and names a wrong field below the given field. */
export function readTarget(field: string, value: unknown): Target {
  const given = readFieldsObject(field, value);
  if (given.get("type") !== "sequence") return Value.Parse(Target, readStep(field, given, [...STEP_TYPES, "sequence"]));
  const steps = given.get("steps");
  if (!Array.isArray(steps) || steps.length < 1 || steps.length > MAX_STEPS) {
    throw invalidField(`${field}.steps`, `must be a list of 1 to ${MAX_STEPS} items`);
  }
  const read = steps.map((step: unknown, index) => {
    const place = `${field}.steps.${index}`;
    return readStep(place, readFieldsObject(place, step), STEP_TYPES);
  });
  const early = read.slice(0, -1).findIndex(({ type }) => type !== "command");
  if (early >= 0) throw invalidField(`${field}.steps.${early}`, "only the last step may be playable");
  return Value.Parse(Target, { type: "sequence", steps: read });
}

/** The meaning of a plain text: an http(s) URL, or a path on the card. */
export function parseTextTarget(text: string): StartTarget {
  return WEB_ADDRESS.test(text) ? { type: "stream", url: text, name: "" } : { type: "file", path: text };
}

function readStep(field: string, given: Fields, types: readonly unknown[]): Record<string, unknown> {
  const type = given.get("type");
  if (type === "command") {
    const schema = COMMANDS.get(given.get("command"));
    if (!schema) throw invalidField(`${field}.command`, `must be one of ${[...COMMANDS.keys()].join(", ")}`);
    return readFields(field, schema, given);
  }
  const schema = KINDS.get(type);
  if (!schema) throw invalidField(`${field}.type`, `must be one of ${types.join(", ")}`);
  return readFields(field, schema, given);
}

type Fields = ReadonlyMap<string, unknown>;

function readFieldsObject(field: string, value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidField(field, "must be an object");
  }
  return new Map<string, unknown>(Object.entries(value));
}

function readFields(field: string, schema: TObject, given: Fields): Record<string, unknown> {
  const required: readonly string[] = schema.required ?? [];
  const fields = Object.entries(schema.properties).flatMap(([name, expected]) => {
    const place = `${field}.${name}`;
    const value = given.has(name) ? given.get(name) : findDefault(expected);
    if (value !== undefined) return [[name, readValue(place, expected, value)] as const];
    if (required.includes(name)) throw invalidField(place, "is required");
    return [];
  });
  return Object.fromEntries(fields);
}

function readValue(field: string, expected: TSchema, value: unknown): unknown {
  if (isObjectSchema(expected)) return readFields(field, expected, readFieldsObject(field, value));
  if (!Value.Check(expected, value)) throw invalidField(field, `must be ${describeExpectation(expected)}`);
  if (typeof value === "string" && CONTROL_CHARACTER.test(value)) {
    throw invalidField(field, "must not contain control characters", { code: "characters_forbidden" });
  }
  return value;
}

function isObjectSchema(schema: TSchema): schema is TObject {
  return "properties" in schema;
}

function findDefault(schema: TSchema): unknown {
  return "default" in schema ? schema.default : undefined;
}
