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
  const schemas = findAll(document, "schema").flatMap(([place, schema]) =>
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
  const requests = Object.values(isRecord(document) && isRecord(document.paths) ? document.paths : {})
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

/** Every value under this key that stands outside of a schema, with its place. */
function findAll(value: unknown, key: string, place = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    if (name === key) return [[`${place}/${name}`, each]];
    return name === "schema" ? [] : findAll(each, key, `${place}/${name}`);
  });
}

function namesOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
