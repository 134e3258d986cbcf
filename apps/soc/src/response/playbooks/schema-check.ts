import { describeExpectation, type ExpectedSchema } from "@kit/problem/expectation";
import type { TSchema } from "typebox";
import Value from "typebox/value";
import { PLAIN } from "../../foundation/actions/action.ts";
import { isRecord } from "./step-template.ts";

/** A problem in a value, with the path to it. */
export interface Misfit {
  path: (string | number)[];
  message: string;
}

/** Returns all violations of the schema, including unknown fields. */
export function findMisfits(schema: TSchema, value: unknown): Misfit[] {
  return Value.Errors(schema, value).flatMap(({ keyword, schemaPath, instancePath, params }): Misfit[] => {
    const path = parsePointer(instancePath);
    // Report a union as a whole instead of by branch, and an unknown field by its object.
    if (schemaPath.includes("/anyOf/") || keyword === "boolean") return [];
    if ("requiredProperties" in params) {
      return params.requiredProperties.map((name) => ({ path: [...path, name], message: "is required" }));
    }
    if ("additionalProperties" in params) {
      return params.additionalProperties.map((name) => ({ path: [...path, name], message: "is not a known field" }));
    }
    return [{ path, message: `must be ${describeExpectation(findSchemaPart(schema, schemaPath))}` }];
  });
}

function parsePointer(pointer: string): (string | number)[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((name) => (/^\d+$/.test(name) ? Number(name) : name));
}

function findSchemaPart(schema: TSchema, schemaPath: string): ExpectedSchema {
  let part: unknown = schema;
  for (const name of schemaPath.split("/").slice(1)) part = isObject(part) ? Reflect.get(part, name) : undefined;
  return isObject(part) ? part : {};
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Returns the value at a path; undefined if it does not exist. */
export function partAt(value: unknown, path: readonly (string | number)[]): unknown {
  let part: unknown = value;
  for (const name of path) {
    if (Array.isArray(part)) part = part[Number(name)];
    else part = isRecord(part) && Object.hasOwn(part, name) ? part[name] : undefined;
  }
  return part;
}

/** Lists the parameters of an action that must not contain placeholders. */
export function plainNames(schema: TSchema): string[] {
  const properties: unknown = Reflect.get(schema, "properties");
  if (!isRecord(properties)) return [];
  return Object.keys(properties).filter((name) => isRecord(properties[name]) && properties[name][PLAIN] === true);
}
