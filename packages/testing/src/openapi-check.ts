import { inlineReferences } from "@kit/http/openapi";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";

/**
 * What is wrong with an OpenAPI 3.1 document: its form, its JSON schemas, names of security schemes, and requests that
 * require what has a default.
 */
export async function findOpenApiFaults(document: object): Promise<string[]> {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...document });
  if (!valid) return [JSON.stringify(errors)];
  if (validator.version !== "3.1") return [`openapi: is version ${validator.version}`];
  // The official schema of OpenAPI 3.1 leaves out what JSON Schema itself defines.
  const ajv = new Ajv2020({ strict: false });
  const components = findAll(document, "schemas").flatMap(([place, named]) =>
    Object.entries(isRecord(named) ? named : {}).map(([name, schema]): [string, unknown] => [
      `${place}/${name}`,
      schema,
    ]),
  );
  const schemas = [...findAll(document, "schema"), ...components].flatMap(([place, schema]) =>
    isRecord(schema) && ajv.validateSchema(schema) === true ? [] : [`${place}: ${ajv.errorsText()}`],
  );
  const known = new Set(findAll(document, "securitySchemes").flatMap(([, schemes]) => namesOf(schemes)));
  const unknown = findAll(document, "security").flatMap(([place, needs]) =>
    [needs]
      .flat()
      .flatMap(namesOf)
      .filter((name) => !known.has(name))
      .map((name) => `${place}: there is no security scheme '${name}'`),
  );
  const inlined = inlineReferences(document);
  const paths = isRecord(inlined) ? inlined.paths : {};
  const requests = Object.values(isRecord(paths) ? paths : {})
    .flatMap((path) => (isRecord(path) ? Object.values(path) : []))
    .flatMap((operation) => (isRecord(operation) ? [operation.parameters, operation.requestBody] : []));
  return [...schemas, ...unknown, ...requests.flatMap((request) => findRequiredDefaults(request))];
}

/** Every property and parameter that is required although it has a default. */
export function findRequiredDefaults(value: unknown, place = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { properties, required, schema, name } = isRecord(value) ? value : {};
  const listed: unknown[] = Array.isArray(required) && isRecord(properties) ? required : [];
  const faults = listed.map(String).filter((each) => isRecord(properties) && hasDefault(properties[each]));
  if (required === true && hasDefault(schema)) faults.push(String(name));
  return [
    ...faults.map((each) => `${place}/${each}: is required, although it has a default`),
    ...Object.entries(value).flatMap(([key, each]) => findRequiredDefaults(each, `${place}/${key}`)),
  ];
}

function hasDefault(schema: unknown): boolean {
  return isRecord(schema) && schema.default !== undefined;
}

/** Every value under this key that is outside of a schema, with its place. */
function findAll(value: unknown, key: string, place = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    if (name === key) return [[`${place}/${name}`, each]];
    return name === "schema" || name === "schemas" ? [] : findAll(each, key, `${place}/${name}`);
  });
}

function namesOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const OPERATION_ID = /^[a-z][A-Za-z0-9]*$/;
const SUMMARY = /^[A-Z][^\n]{2,70}[^.\s]$/;
const MAX_UNNAMED = 200;

/**
 * What makes a document hard to use for programs: operations without a name, a sentence or a section; bodies whose schema
 * has no name; and larger schemas that are repeated instead of named.
 */
export function findNamelessParts(document: object): string[] {
  const paths = isRecord(document) && isRecord(document.paths) ? document.paths : {};
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isRecord(item) ? item : {}).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  );
  const tags = isRecord(document) && Array.isArray(document.tags) ? document.tags : [];
  const known = tags.map((tag: unknown) => (isRecord(tag) ? tag.name : undefined));
  return [
    ...operations.flatMap(([place, each]) => (isRecord(each) ? findNamelessIn(place, each, known) : [])),
    ...findRepeatedObjects(document),
  ];
}

function findNamelessIn(place: string, operation: Record<string, unknown>, known: readonly unknown[]): string[] {
  const { operationId, summary, tags } = operation;
  const alternatives = findAll(operation, "schema")
    .filter(([where]) => where.includes("/application/json/"))
    .flatMap(([where, schema]) => {
      const choices = isRecord(schema) && Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
      return choices.map((choice: unknown) => [where, choice] as const);
    });
  return [
    ...(isText(operationId, OPERATION_ID) ? [] : [`${place}: has no operationId in camelCase`]),
    ...(isText(summary, SUMMARY) ? [] : [`${place}: has no summary of one short sentence`]),
    ...(Array.isArray(tags) && known.includes(tags[0]) ? [] : [`${place}: has no tag with a description`]),
    ...alternatives.filter(([, schema]) => isObjectSchema(schema)).map(([where]) => `${place}${where}: has no name`),
  ];
}

function findRepeatedObjects(document: object): string[] {
  const places = new Map<string, string>();
  const faults: string[] = [];
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== "object" || value === null) return;
    const text = isObjectSchema(value) ? JSON.stringify(value) : "";
    const first = places.get(text);
    if (text.length > MAX_UNNAMED && first !== undefined) faults.push(`${place}: repeats ${first} without a name`);
    else places.set(text, place);
    for (const [key, each] of Object.entries(value)) visit(each, `${place}/${key}`);
  };
  visit(document, "");
  return faults;
}

function isText(value: unknown, form: RegExp): boolean {
  return typeof value === "string" && form.test(value);
}

function isObjectSchema(schema: unknown): boolean {
  return isRecord(schema) && isRecord(schema.properties) && Object.keys(schema.properties).length > 0;
}

const LINE = 120;

/** JSON with one line for each value that fits on it: a document whose changes can be read, at half the size. */
export function formatDocument(value: unknown, indent = "", room = LINE): string {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null || line.length <= room) return line;
  const inner = `${indent} `;
  const parts = Array.isArray(value)
    ? value.map((each) => formatDocument(each, inner, LINE - inner.length))
    : Object.entries(value).map(([key, each]) => {
        const label = `${JSON.stringify(key)}: `;
        return label + formatDocument(each, inner, LINE - inner.length - label.length);
      });
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}
