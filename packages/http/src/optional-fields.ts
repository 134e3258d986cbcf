type Schema = Readonly<Record<string, unknown>>;

/** Keywords whose value is data and no schema. */
const DATA: readonly string[] = ["default", "const", "enum", "examples"];
const NAMED: readonly string[] = ["properties", "patternProperties"];
const ALTERNATIVES = ["anyOf", "oneOf", "allOf"] as const;

/** A schema as clients read it: it does not require what has a default. The server fills it in after the check. */
export function publishRequest(schema: object): Record<string, unknown> {
  const published = replaceParts(schema, publishRequest);
  const { required, ...optional } = published;
  const properties = isRecord(published.properties) ? published.properties : {};
  const names = listOf(required).filter((name) => !hasDefault(properties[String(name)]));
  return names.length > 0 ? { ...published, required: names } : optional;
}

/** The schema with each of its direct subschemas replaced. */
export function replaceParts(schema: object, replace: (part: object) => unknown): Record<string, unknown> {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (DATA.includes(keyword)) return [keyword, value];
    if (!NAMED.includes(keyword) || !isRecord(value)) return [keyword, replacePart(value, replace)];
    const parts = Object.entries(value).map(([name, part]) => [name, replacePart(part, replace)]);
    return [keyword, Object.fromEntries(parts)];
  });
  return Object.fromEntries(entries);
}

function replacePart(part: unknown, replace: (part: object) => unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => replacePart(each, replace));
  return isRecord(part) ? replace(part) : part;
}

/** The fields of one level of a value that may be null, and the levels below it. */
interface Level {
  removed: readonly string[];
  below: readonly (readonly [string, Level])[];
  /** For the items of a list. */
  items: Level | undefined;
  /** For the entries of an object whose names are free, besides those that the schema names. */
  entries: Level | undefined;
  named: ReadonlySet<string>;
}

/**
 * Removes null where the schema names an optional field that does not accept it, so that null means absent there. It
 * changes the value. Where the schema accepts null, null has a meaning of its own and stays.
 */
export function createNullRemoval(schema: unknown): (value: unknown) => void {
  const level = toLevel([schema]);
  return (value) => removeNulls(level, value);
}

function removeNulls(level: Level | undefined, value: unknown): void {
  if (!level) return;
  if (Array.isArray(value)) removeFromItems(level, value);
  else if (isRecord(value)) removeFromObject(level, value);
}

function removeFromItems({ items }: Level, values: unknown[]): void {
  if (items) for (const value of values) removeNulls(items, value);
}

function removeFromObject({ removed, below, entries, named }: Level, value: Record<string, unknown>): void {
  for (const name of removed) if (value[name] === null) Reflect.deleteProperty(value, name);
  for (const [name, level] of below) removeNulls(level, value[name]);
  if (!entries) return;
  for (const [name, entry] of Object.entries(value)) if (!named.has(name)) removeNulls(entries, entry);
}

/** Undefined where nothing can be removed. A value may fit any of the schemas. */
function toLevel(schemas: readonly unknown[]): Level | undefined {
  const shapes = schemas.flatMap(listShapes);
  const fields = shapes.flatMap(listFields);
  const named = new Set(fields.map(({ name }) => name));
  const removed: string[] = [];
  const below: [string, Level][] = [];
  for (const name of named) {
    const uses = fields.filter((field) => field.name === name);
    if (isRemovable(uses)) removed.push(name);
    const next = toLevel(uses.map(({ schema }) => schema));
    if (next) below.push([name, next]);
  }
  const items = toBelow(shapes.map((shape) => shape.items));
  const entries = toBelow(
    shapes.flatMap(({ additionalProperties, patternProperties }) => [
      additionalProperties,
      ...(isRecord(patternProperties) ? Object.values(patternProperties) : []),
    ]),
  );
  if (removed.length === 0 && below.length === 0 && !items && !entries) return undefined;
  return { removed, below, items, entries, named };
}

function toBelow(schemas: readonly unknown[]): Level | undefined {
  const known = schemas.filter(isRecord);
  return known.length > 0 ? toLevel(known) : undefined;
}

/** The schema and its alternatives, of which each may describe the value. */
function listShapes(schema: unknown): Schema[] {
  if (!isRecord(schema)) return [];
  return [schema, ...ALTERNATIVES.flatMap((keyword) => listOf(schema[keyword]).flatMap(listShapes))];
}

interface Field {
  name: string;
  schema: unknown;
  isOptional: boolean;
}

function listFields({ properties, required }: Schema): Field[] {
  if (!isRecord(properties)) return [];
  const names = listOf(required);
  return Object.entries(properties).map(([name, schema]) => {
    return { name, schema, isOptional: !names.includes(name) || hasDefault(schema) };
  });
}

function isRemovable(uses: readonly Field[]): boolean {
  return uses.some(({ isOptional }) => isOptional) && !uses.some(({ schema }) => acceptsNull(schema));
}

export function acceptsNull(schema: unknown): boolean {
  if (!isRecord(schema)) return schema !== false;
  const { type, const: only, enum: values, anyOf, oneOf, allOf } = schema;
  if (type !== undefined && !listOf(type).includes("null") && type !== "null") return false;
  if (only !== undefined) return only === null;
  if (values !== undefined) return listOf(values).includes(null);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return listOf(choices).some(acceptsNull);
  return allOf === undefined || listOf(allOf).every(acceptsNull);
}

function hasDefault(schema: unknown): boolean {
  return isRecord(schema) && schema.default !== undefined;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
