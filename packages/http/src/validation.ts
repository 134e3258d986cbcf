import { invalidField, type Problem } from "@kit/problem";
import { describeExpectation, type ExpectedSchema } from "@kit/problem/expectation";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import type { FastifyInstance, RouteOptions } from "fastify";
import { createNullRemoval } from "./optional-fields.ts";

// One of each for the process: they keep what they compiled, so a second server with the same schemas starts at once.
const OPTIONS = { verbose: true, useDefaults: true, strict: false, removeAdditional: true } as const;
const strict = new Ajv({ ...OPTIONS, coerceTypes: false });
const coercing = new Ajv({ ...OPTIONS, coerceTypes: true });
formats.default(strict);
formats.default(coercing);

/**
 * Bodies are taken at their word: 5 is not "5". Query strings and paths are text by nature, so they are converted. Null
 * in an optional field of a body means absent, as generated clients and language models write it.
 */
export function validateStrictly(app: FastifyInstance): void {
  app.setValidatorCompiler<object>(({ schema, httpPart = "request" }) => {
    const isBody = httpPart === "body";
    const ajv = isBody ? strict : coercing;
    let removeNulls: ((value: unknown) => void) | undefined;
    let compiled: ValidateFunction | undefined;
    // Compile at the first request: a service has hundreds of schemas, and compiling all of them took a quarter of its start.
    return (value: unknown) => {
      compiled ??= ajv.compile(schema);
      if (isBody) {
        removeNulls ??= createNullRemoval(schema);
        removeNulls(value);
      }
      return compiled(value) ? { value } : { error: toProblem(compiled.errors ?? [], httpPart) };
    };
  });
  app.addHook("onRoute", refuseOpenBodies);
}

function toProblem(errors: readonly ErrorObject[], part: string): Problem {
  // The last error of a union describes the whole union; every other schema reports one error only.
  const error = errors.at(-1);
  if (!error) return invalidField(part, "is malformed");
  if (error.keyword === "required") return invalidField(fieldOf(error, part), "is required");
  const isChoice = error.keyword === "oneOf" && error.parentSchema?.properties !== undefined && isObject(error.data);
  if (isChoice) return toChoiceProblem(errors, error, part);
  const expected: ExpectedSchema = { ...error.parentSchema, type: error.parentSchema?.type };
  return invalidField(fieldOf(error, part), `must be ${describeExpectation(expected)}`);
}

/** An object that requires one of two groups of fields and excludes the other. */
function toChoiceProblem(errors: readonly ErrorObject[], { schema }: ErrorObject, part: string): Problem {
  const groups: unknown[] = Array.isArray(schema) ? schema : [];
  const [first, second] = groups.map(formatGroup);
  const missing = errors.find(({ keyword }) => keyword === "required");
  if (missing) return invalidField(fieldOf(missing, part), `is required unless ${second} is given`);
  return invalidField(String(second), `must not come together with ${first}`);
}

function formatGroup(group: unknown): string {
  const required = typeof group === "object" && group !== null && "required" in group ? group.required : [];
  return Array.isArray(required) ? required.map(String).join(" and ") : "";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldOf({ instancePath, keyword, params }: ErrorObject, part: string): string {
  const path = instancePath.split("/").slice(1);
  if (keyword === "required") path.push(String(params.missingProperty));
  // A query string has no nested fields: what follows the name is a place in a list that the caller did not write.
  return (part === "querystring" ? path[0] : path.join(".")) || part;
}

/** Unknown fields are dropped only where a schema closes its object, so an open request body would let them through. */
function refuseOpenBodies({ method, url, schema }: RouteOptions): void {
  const open = openObjectIn(schema?.body, "body");
  if (open) throw new Error(`${String(method)} ${url}: ${open} must set additionalProperties`);
}

function openObjectIn(schema: unknown, path: string): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  if ("type" in schema && schema.type === "object" && !("additionalProperties" in schema)) return path;
  for (const [name, part] of Object.entries(schema)) {
    const found = openObjectIn(part, `${path}.${name}`);
    if (found) return found;
  }
  return undefined;
}
