import { STATUS_CODES } from "node:http";
import type { FastifyContextConfig, FastifySchema } from "fastify";
import type { Frame, RegisteredRoute } from "./frame.ts";
import { createNamedSchemas, type NamedSchemas } from "./named-schemas.ts";
import { acceptsNull, publishRequest } from "./optional-fields.ts";
import { createSharedParameters, type Parameter } from "./shared-parameters.ts";

declare module "fastify" {
  interface FastifySchema {
    /** The name of the operation in generated clients: a verb and its object in camelCase, unique in the product. */
    operationId?: string;
    /** What the operation does, as a short imperative sentence without a full stop. */
    summary?: string;
    /** What the schemas do not express: conditions, refusals and side effects. Full sentences. */
    description?: string;
  }
}

/** Facts that a product declares for a route: who may call it, and extension fields. */
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
  /** The sections of the API, each with its description. */
  tags: Readonly<Record<string, string>>;
  /** The section to which a path belongs. */
  tagOf: (path: string) => string;
  factsOf: (config: FastifyContextConfig) => DeclaredFacts;
  /** The statuses with which a route refuses or fails, and that the API document names. */
  refusalsOf: (route: RegisteredRoute) => readonly number[];
}

/** Serves the document of all routes that are registered when the service starts. It is built once. */
export function serveOpenApi(app: Frame, url: string, config: FastifyContextConfig, options: OpenApiOptions): void {
  let document = "";
  app.addHook("onReady", async () => {
    document = JSON.stringify(buildOpenApi(app.registeredRoutes, options));
  });
  const schema = {
    operationId: "getOpenApi",
    summary: "Get the OpenAPI document",
    response: { 200: OPENAPI_DOCUMENT },
  };
  app.get(url, { config, schema }, async (_request, reply) =>
    reply.type("application/json").serializer(String).send(document),
  );
}

const OPENAPI_DOCUMENT = { type: "object", description: "An OpenAPI 3.1 document.", additionalProperties: true };

/**
 * Paths, methods and schemas are sorted, so that a change of the code is a small change of the document. A schema with a
 * title is published once, by that name. Throws for a route without operationId or summary.
 */
export function buildOpenApi(routes: readonly RegisteredRoute[], options: OpenApiOptions): object {
  const { title, description, version, securitySchemes, tags } = options;
  const named = createNamedSchemas();
  const content = jsonContent(named.refer({ ...options.error, title: "Problem" }, "the error body"));
  requireUniqueOperations(routes);
  const operations = routes
    .toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))
    .map((route) => ({ route, own: listParameters(route, named) }));
  const shared = createSharedParameters(operations.flatMap(({ own }) => own));
  const paths: Record<string, Record<string, object>> = {};
  for (const { route, own } of operations) {
    const path = toTemplate(route.path);
    const operation = buildOperation(
      route,
      own.map((each) => shared.refer(each)),
      named,
      options,
    );
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  const statuses = new Set(routes.flatMap((route) => options.refusalsOf(route)).toSorted((a, b) => a - b));
  const refusals = [...statuses].map((status): [string, object] => [
    toName(status),
    { description: describeStatus(status), content },
  ]);
  const responses = { ...Object.fromEntries(refusals), Problem: { description: "A refusal or a failure.", content } };
  return {
    openapi: "3.1.0",
    info: { title, description, version },
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths,
    components: { securitySchemes, parameters: shared.list(), schemas: named.list(), responses },
  };
}

function requireUniqueOperations(routes: readonly RegisteredRoute[]): void {
  const places = new Map<string, string>();
  for (const route of routes) {
    const { operationId, summary } = route.schema ?? {};
    const place = placeOf(route);
    if (!operationId || !summary) throw new Error(`${place}: the schema must have an operationId and a summary`);
    const other = places.get(operationId);
    if (other) throw new Error(`${place}: the operationId '${operationId}' is that of ${other}`);
    places.set(operationId, place);
  }
}

function describeStatus(status: number): string {
  return STATUS_CODES[status] ?? String(status);
}

/** The name of a shared response, such as NotFound. */
function toName(status: number): string {
  return describeStatus(status).replaceAll(/[^A-Za-z]/g, "");
}

function referTo(response: string): object {
  return { $ref: `#/components/responses/${response}` };
}

function placeOf({ method, path }: RegisteredRoute): string {
  return `${method} ${path}`;
}

function sortKeyOf({ path, method }: RegisteredRoute): string {
  return `${toTemplate(path)} ${method}`;
}

/** Fastify writes a path parameter as :id, OpenAPI as {id}. */
export function toTemplate(path: string): string {
  return path.replaceAll(/:([A-Za-z_]+)/g, "{$1}");
}

function buildOperation(
  route: RegisteredRoute,
  parameters: readonly object[],
  named: NamedSchemas,
  options: OpenApiOptions,
): object {
  const { path, config, schema = {} } = route;
  const { operationId, summary, description } = schema;
  const place = placeOf(route);
  const refer = (part: unknown) => named.refer(part, place);
  const { responses = buildResponses(schema.response, refer), ...facts } = options.factsOf(config);
  const requestBody = buildRequestBody(schema, config, refer);
  const refusals = options.refusalsOf(route).map((status): [number, object] => [status, referTo(toName(status))]);
  return {
    operationId,
    summary,
    ...(description && { description }),
    tags: [options.tagOf(path)],
    ...facts,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...responses, ...Object.fromEntries(refusals), default: referTo("Problem") },
  };
}

function listParameters(route: RegisteredRoute, named: NamedSchemas): Parameter[] {
  const { path, schema = {} } = route;
  const place = placeOf(route);
  return [
    ...listPathParameters(path, schema.params),
    ...listFields("query", schema.querystring, place),
    ...listFields("header", schema.headers, place),
  ].map((parameter) => ({ ...parameter, schema: named.refer(parameter.schema, place) }));
}

/** A path parameter without a schema is any text. */
function listPathParameters(path: string, schema: unknown): Parameter[] {
  const described = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  return [...path.matchAll(/:([A-Za-z_]+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: described[name] ?? { type: "string" },
  }));
}

function listFields(where: "query" | "header", declared: unknown, place: string): Parameter[] {
  if (declared === undefined) return [];
  const schema = isRecord(declared) ? publishRequest(declared) : {};
  if (!isRecord(schema.properties)) throw new Error(`${place}: the ${where} schema must be one object with properties`);
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, each]) => ({
    name,
    in: where,
    ...(required.includes(name) && { required: true }),
    schema: each,
  }));
}

type CreateReference = (schema: unknown) => unknown;

function buildRequestBody(
  { body }: FastifySchema,
  { streamsBody }: FastifyContextConfig,
  refer: CreateReference,
): object | undefined {
  if (streamsBody) return { required: true, content: { "*/*": {} } };
  if (!isRecord(body)) return undefined;
  // A body that may be null may also be left out.
  return { required: !acceptsNull(body), content: jsonContent(refer(publishRequest(body))) };
}

function buildResponses(declared: unknown, refer: CreateReference): Record<string, object> {
  if (!isRecord(declared)) return { "2XX": { description: "Success; the code declares no schema." } };
  const responses = Object.entries(declared).map(([status, body]): [string, object] => {
    // Fastify sends a string as it is, with a content type that the handler chooses.
    const isText = isRecord(body) && body.type === "string";
    const content = isText ? { "*/*": { schema: body } } : jsonContent(refer(body));
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

/** A document with every reference to a schema or a parameter replaced by what it names. */
export function inlineReferences(document: unknown): unknown {
  const components = isRecord(document) && isRecord(document.components) ? document.components : {};
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (!isRecord(value)) return value;
    const [, kind = "", name = ""] = /^#\/components\/(schemas|parameters)\/(.+)$/.exec(String(value.$ref)) ?? [];
    const named = components[kind];
    if (isRecord(named)) return inline(named[name]);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inline(each)]));
  };
  return inline(document);
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
