import { describe, expect, it } from "vitest";
import type { RegisteredRoute } from "./frame.ts";
import { buildOpenApi, inlineReferences } from "./openapi.ts";

const text = { type: "string" };
const OPTIONS = {
  title: "A product",
  description: "Its routes.",
  version: "1",
  securitySchemes: { token: { type: "http", scheme: "bearer" } },
  error: { type: "object", properties: { error: text } },
  tags: { things: "What there is." },
  tagOf: () => "things",
  factsOf: () => ({ security: [{ token: [] }], "x-mark": 1 }),
  refusalsOf: ({ path }: RegisteredRoute) => (path.includes(":") ? [400, 404] : []),
};
const content = (schema: object) => ({ "application/json": { schema } });
const REFUSAL = { $ref: "#/components/responses/Problem" };

/** Every route has what it must have, unless the test says otherwise. */
function build(...routes: RegisteredRoute[]) {
  const described = routes.map((route, place) => ({
    ...route,
    schema: { operationId: `operation${place}`, summary: "Do it", ...route.schema },
  }));
  return buildOpenApi(described, OPTIONS);
}

const withBody = (path: string, body: object) => ({ method: "POST", path, config: {}, schema: { body } });

describe("OpenAPI document", () => {
  it("contains every part of a route's schema and its declared facts", () => {
    const body = { type: "object", properties: { name: text }, additionalProperties: false };
    const document = build({
      method: "POST",
      path: "/things/:id/parts/:part_id",
      config: {},
      schema: {
        params: { type: "object", properties: { id: { type: "integer" } } },
        querystring: { type: "object", required: ["from"], properties: { from: text, to: text } },
        headers: { type: "object", properties: { "x-batch-id": text } },
        body,
        response: { 200: body, 201: text },
      },
    });
    expect(document).toMatchObject({
      paths: {
        "/things/{id}/parts/{part_id}": {
          post: {
            security: [{ token: [] }],
            "x-mark": 1,
            parameters: [
              { name: "id", in: "path", required: true, schema: { type: "integer" } },
              { name: "part_id", in: "path", required: true, schema: text },
              { name: "from", in: "query", required: true, schema: text },
              { name: "to", in: "query", schema: text },
              { name: "x-batch-id", in: "header", schema: text },
            ],
            requestBody: { required: true, content: content(body) },
            responses: {
              200: { description: "OK", content: content(body) },
              201: { description: "Created", content: { "*/*": { schema: text } } },
              400: { $ref: "#/components/responses/BadRequest" },
              404: { $ref: "#/components/responses/NotFound" },
              default: REFUSAL,
            },
          },
        },
      },
    });
  });

  it("contains the error body once, and a shared response for each status that a route names", () => {
    const body = content({ $ref: "#/components/schemas/Problem" });
    expect(build({ method: "GET", path: "/things/:id", config: {} })).toMatchObject({
      components: {
        schemas: { Problem: OPTIONS.error },
        responses: {
          BadRequest: { description: "Bad Request", content: body },
          NotFound: { description: "Not Found", content: body },
          Problem: { description: "A refusal or a failure.", content: body },
        },
      },
    });
  });

  it("requires no parameter and no field of a body that has a default", () => {
    const schema = { type: "object", required: ["a", "b"], properties: { a: text, b: { ...text, default: "x" } } };
    const document = build({ method: "POST", path: "/a", config: {}, schema: { querystring: schema, body: schema } });
    expect(document).toMatchObject({
      paths: {
        "/a": {
          post: {
            parameters: [
              { name: "a", in: "query", required: true, schema: text },
              { name: "b", in: "query", schema: { ...text, default: "x" } },
            ],
            requestBody: { content: content({ ...schema, required: ["a"] }) },
          },
        },
      },
    });
  });

  it("sorts paths and methods independently of the order of registration", () => {
    const [a, b, c] = [
      { method: "POST", path: "/b", config: {} },
      { method: "GET", path: "/b", config: {} },
      { method: "GET", path: "/a", config: {} },
    ];
    for (const document of [build(a, b, c), build(c, a, b)].map((each) => JSON.stringify(each))) {
      expect(document).toMatch(/"\/a":.*"\/b":\{"get":.*"post":/);
    }
  });

  it.each([
    ["a nullable body is optional", { type: ["object", "null"] }, false],
    ["a union with null is optional", { anyOf: [{ type: "object" }, { type: "null" }] }, false],
    ["any other body is required", { type: "object" }, true],
  ])("describes that %s", (_rule, body, required) => {
    const document = build({ method: "POST", path: "/a", config: {}, schema: { body } });
    expect(document).toMatchObject({ paths: { "/a": { post: { requestBody: { required } } } } });
  });

  it("accepts any content type where the handler streams the body, and declares no missing schema", () => {
    const document = build({ method: "POST", path: "/a", config: { streamsBody: true } });
    expect(document).toMatchObject({
      paths: {
        "/a": {
          post: {
            requestBody: { required: true, content: { "*/*": {} } },
            responses: { "2XX": { description: "Success; the code declares no schema." }, default: REFUSAL },
          },
        },
      },
    });
  });

  it("contains operationId, summary and tag of every operation, and the tags with descriptions", () => {
    const schema = { operationId: "listThings", summary: "List things" };
    expect(build({ method: "GET", path: "/things", config: {}, schema })).toMatchObject({
      tags: [{ name: "things", description: "What there is." }],
      paths: { "/things": { get: { operationId: "listThings", summary: "List things", tags: ["things"] } } },
    });
  });

  it.each([
    ["operationId", { summary: "List things" }],
    ["summary", { operationId: "listThings" }],
  ])("refuses a route without %s", (_missing, schema) => {
    expect(() => buildOpenApi([{ method: "GET", path: "/things", config: {}, schema }], OPTIONS)).toThrow(
      "GET /things: the schema must have an operationId and a summary",
    );
  });

  it("refuses two routes with the same operationId", () => {
    const schema = { operationId: "listThings" };
    const routes = ["/a", "/b"].map((path) => ({ method: "GET", path, config: {}, schema }));
    expect(() => build(...routes)).toThrow("GET /b: the operationId 'listThings' is that of GET /a");
  });

  it("publishes a titled schema once under its title", () => {
    const part = { type: "object", title: "Part", properties: { title: text } };
    const thing = { type: "object", title: "Thing", properties: { parts: { type: "array", items: part } } };
    const response = { 200: { anyOf: [thing, { type: "null" }] } };
    const document = build({ method: "POST", path: "/a", config: {}, schema: { body: part, response } });
    const toPart = { $ref: "#/components/schemas/Part" };
    const toThing = { $ref: "#/components/schemas/Thing" };
    expect(document).toMatchObject({
      paths: {
        "/a": {
          post: {
            requestBody: { content: content(toPart) },
            responses: { 200: { content: content({ anyOf: [toThing, { type: "null" }] }) } },
          },
        },
      },
      components: {
        schemas: {
          Part: { type: "object", properties: { title: text } },
          Thing: { type: "object", properties: { parts: { type: "array", items: toPart } } },
        },
      },
    });
  });

  it("refuses different schemas with the same title", () => {
    const routes = ["a", "b"].map((name) => {
      return withBody(`/${name}`, { type: "object", title: "Thing", properties: { [name]: text } });
    });
    expect(() => build(...routes)).toThrow("POST /b: the schema 'Thing' differs from the one of POST /a");
  });

  it("publishes a parameter of several operations once; of several forms, the most frequent one", () => {
    const [small, large] = [10, 20].map((maximum) => ({
      type: "object",
      properties: { limit: { type: "integer", maximum } },
    }));
    const routes = [small, large, large].map((querystring, place) => {
      return { method: "GET", path: `/${place}`, config: {}, schema: { querystring } };
    });
    const shared = { parameters: [{ $ref: "#/components/parameters/limit" }] };
    expect(build(...routes)).toMatchObject({
      paths: {
        "/0": { get: { parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 10 } }] } },
        "/1": { get: shared },
        "/2": { get: shared },
      },
      components: { parameters: { limit: { name: "limit", in: "query", schema: { type: "integer", maximum: 20 } } } },
    });
  });

  it("refuses a query schema whose parameters cannot be listed", () => {
    const querystring = { anyOf: [{ type: "object" }] };
    expect(() => build({ method: "GET", path: "/a", config: {}, schema: { querystring } })).toThrow(
      "GET /a: the query schema must be one object with properties",
    );
  });
});

it("inlines named schemas and parameters", () => {
  const components = { schemas: { Part: { type: "string" } }, parameters: { id: { name: "id" } } };
  const paths = [{ $ref: "#/components/parameters/id" }, { of: { $ref: "#/components/schemas/Part" } }];
  expect(inlineReferences({ paths, components })).toMatchObject({
    paths: [{ name: "id" }, { of: { type: "string" } }],
  });
});
