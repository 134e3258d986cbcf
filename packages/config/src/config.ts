import { invalidField } from "@kit/problem";
import { describeExpectation, type ExpectedSchema } from "@kit/problem/expectation";
import Type, { type Static, type TObject, type TProperties } from "typebox";
import Value from "typebox/value";

/** Reads every variable that the schema names. A wrong one is refused by its name; its value is never repeated. */
export function readEnvironment<T extends TProperties>(
  schema: TObject<T>,
  environment: Readonly<Record<string, string | undefined>>,
): Static<TObject<T>> {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    // An empty variable counts as unset: compose files and unit files leave a variable out that way.
    const text = environment[name] || undefined;
    const value = text === undefined ? Value.Default(property, undefined) : readValue(text, property);
    if (value === undefined && Type.IsOptional(property)) continue;
    if (value === undefined) throw invalidField(name, "is required");
    if (!Value.Check(property, value)) throw invalidField(name, `must be ${describeExpectation(property)}`);
    values[name] = value;
  }
  return Value.Parse(schema, values);
}

function readValue(text: string, { type }: ExpectedSchema): unknown {
  if ((type === "integer" || type === "number") && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
