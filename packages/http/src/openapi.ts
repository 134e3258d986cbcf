import { STATUS_CODES } from "node:http";
import type { FastifyContextConfig, FastifySchema } from "fastify";
import type { Frame, RegisteredRoute } from "./frame.ts";
import { acceptsNull, publishRequest } from "./optional-fields.ts";

/** What a product reads from the declarations of a route: who may call it, and extension fields. */
export interface DeclaredFacts {
  security: Record<string, string[]>[];
  /** Replaces the responses that the schemas give, for a route that answers no plain HTTP. */
  responses?: Record<string, object>;
  [extension: `x-${string}`]: unknown;
}

export interface OpenApiOptions {
  title: string;
  description: string;
  version: string;
  securitySchemes: Readonly<Record<string, object>>;
  /** The schema of the error body. */
  error: object;
  factsOf: (config: FastifyContextConfig) => DeclaredFacts;
  /** The statuses with which a route refuses or fails, and that the API document names. */
  refusalsOf: (route: RegisteredRoute) => readonly number[];
}

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: unknown;
}

/** Serves the document of all routes that are registered when the service starts. It is built once. */
export function serveOpenApi(app: Frame, url: string, config: FastifyContextConfig, options: OpenApiOptions): void {
  let document = "";
  app.addHook("onReady", async () => {
    document = JSON.stringify(buildOpenApi(app.registeredRoutes, options));
  });
  app.get(url, { config, schema: { response: { 200: OPENAPI_DOCUMENT } } }, async (_request, reply) =>
    reply.type("application/json").serializer(String).send(document),
  );
}

const OPENAPI_DOCUMENT = { type: "object", description: "An OpenAPI 3.1 document.", additionalProperties: true };

/** Paths and methods are sorted, so that a change of the code is a small change of the document. */
export function buildOpenApi(routes: readonly RegisteredRoute[], options: OpenApiOptions): object {
  const { title, description, version, securitySchemes, error } = options;
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes.toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))) {
    const path = toTemplate(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: buildOperation(route, options) };
  }
  const statuses = new Set(routes.flatMap((route) => options.refusalsOf(route)).toSorted((a, b) => a - b));
  const content = jsonContent({ $ref: "#/components/schemas/Problem" });
  const refusals = [...statuses].map((status): [string, object] => [
    toName(status),
    { description: describeStatus(status), content },
  ]);
  const responses = { ...Object.fromEntries(refusals), Problem: { description: "A refusal or a failure.", content } };
  return {
    openapi: "3.1.0",
    info: { title, description, version },
    paths,
    components: { securitySchemes, schemas: { Problem: error }, responses },
  };
}

function describeStatus(status: number): string {
  return STATUS_CODES[status] ?? String(status);
}

/** The name of a shared response, such as NotFound. */
function toName(status: number): string {
  return describeStatus(status).replaceAll(/[^A-Za-z]/g, "");
}

function refer(name: string): object {
  return { $ref: `#/components/responses/${name}` };
}

function sortKeyOf({ path, method }: RegisteredRoute): string {
  return `${toTemplate(path)} ${method}`;
}

/** Fastify writes a path parameter as :id, OpenAPI as {id}. */
function toTemplate(path: string): string {
  return path.replaceAll(/:([A-Za-z_]+)/g, "{$1}");
}

function buildOperation(route: RegisteredRoute, options: OpenApiOptions): object {
  const { method, path, config, schema = {} } = route;
  const { responses = buildResponses(schema.response), ...facts } = options.factsOf(config);
  const place = `${method} ${path}`;
  const parameters = [
    ...buildPathParameters(path, schema.params),
    ...buildParameters("query", schema.querystring, place),
    ...buildParameters("header", schema.headers, place),
  ];
  const requestBody = buildRequestBody(schema, config);
  const refusals = options.refusalsOf(route).map((status): [number, object] => [status, refer(toName(status))]);
  return {
    ...facts,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...responses, ...Object.fromEntries(refusals), default: refer("Problem") },
  };
}

/** A path parameter without a schema is any text. */
function buildPathParameters(path: string, schema: unknown): Parameter[] {
  const described = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  return [...path.matchAll(/:([A-Za-z_]+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: described[name] ?? { type: "string" },
  }));
}

function buildParameters(where: "query" | "header", declared: unknown, place: string): Parameter[] {
  if (declared === undefined) return [];
  const schema = isRecord(declared) ? publishRequest(declared) : {};
  if (!isRecord(schema.properties)) throw new Error(`${place}: the ${where} schema must be one object with properties`);
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, each]) => ({
    name,
    in: where,
    required: required.includes(name),
    schema: each,
  }));
}

function buildRequestBody({ body }: FastifySchema, { streamsBody }: FastifyContextConfig): object | undefined {
  if (streamsBody) return { required: true, content: { "*/*": {} } };
  if (!isRecord(body)) return undefined;
  // A body that may be null may also be left out.
  return { required: !acceptsNull(body), content: jsonContent(publishRequest(body)) };
}

function buildResponses(declared: unknown): Record<string, object> {
  if (!isRecord(declared)) return { "2XX": { description: "Success; the code declares no schema." } };
  const responses = Object.entries(declared).map(([status, body]): [string, object] => {
    // Fastify sends a string as it is, with a content type that the handler chooses.
    const isText = isRecord(body) && body.type === "string";
    const content = isText ? { "*/*": { schema: body } } : jsonContent(body);
    return [status, { description: STATUS_CODES[status] ?? status, content }];
  });
  return Object.fromEntries(responses);
}

function jsonContent(schema: unknown) {
  return { "application/json": { schema } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a request of the route has parts that can be invalid. */
export function takesInput({ path, config, schema = {} }: RegisteredRoute): boolean {
  const { body, querystring, headers, params } = schema;
  const hasPath = params !== undefined && path.includes(":");
  return hasPath || config.streamsBody === true || [body, querystring, headers].some((part) => part !== undefined);
}

const ID = /^(.+_)?(ids?|uid)$/;

/** Whether a request of the route names a record, which may not exist: in its path, or in a field of its query or body. */
export function namesRecord({ path, schema = {} }: RegisteredRoute): boolean {
  return path.includes(":") || [schema.body, schema.querystring].some((part) => hasProperty(part, ID));
}

function hasProperty(schema: unknown, name: RegExp): boolean {
  if (!isRecord(schema)) return false;
  const alternatives: unknown[] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const properties = isRecord(schema.properties) ? Object.keys(schema.properties) : [];
  return properties.some((each) => name.test(each)) || alternatives.some((each) => hasProperty(each, name));
}
