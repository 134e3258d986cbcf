/** The parts of a JSON schema that a refusal can put into words. */
export interface ExpectedSchema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly ExpectedSchema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** What a value must be, in words that follow "must be": "an integer from 0 to 100". */
export function describeExpectation(schema: ExpectedSchema): string {
  if (schema.enum) return `one of ${schema.enum.join(", ")}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map(describeExpectation).join(" or ");
  switch (schema.type) {
    case "integer":
      return `an integer${formatRange(schema.minimum, schema.maximum)}`;
    case "number":
      return `a number${formatRange(schema.minimum, schema.maximum)}`;
    case "boolean":
      return "true or false";
    case "string":
      return describeText(schema);
    case "array":
      return `a list${formatSize(schema.minItems, schema.maxItems, "items")}`;
    case "null":
      return "null";
    default:
      return "an object";
  }
}

function describeText(schema: ExpectedSchema): string {
  if (schema.format) return `a text in the format ${schema.format}`;
  if (schema.pattern) return `a text of the form ${schema.pattern}`;
  return `a text${formatSize(schema.minLength, schema.maxLength, "characters")}`;
}

function formatRange(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

function formatSize(minimum: number | undefined, maximum: number | undefined, unit: string): string {
  if (minimum !== undefined && maximum !== undefined) return ` of ${minimum} to ${maximum} ${unit}`;
  if (minimum !== undefined) return ` of at least ${minimum} ${unit}`;
  return maximum === undefined ? "" : ` of at most ${maximum} ${unit}`;
}
