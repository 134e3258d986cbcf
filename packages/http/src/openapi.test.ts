import { describe, expect, it } from "vitest";
import type { RegisteredRoute } from "./frame.ts";
import { buildOpenApi } from "./openapi.ts";

const text = { type: "string" };
const OPTIONS = {
  title: "A product",
  description: "Its routes.",
  version: "1",
  securitySchemes: { token: { type: "http", scheme: "bearer" } },
  error: { type: "object", properties: { error: text } },
  factsOf: () => ({ security: [{ token: [] }], "x-mark": 1 }),
  refusalsOf: ({ path }: RegisteredRoute) => (path.includes(":") ? [400, 404] : []),
};
const content = (schema: object) => ({ "application/json": { schema } });
const REFUSAL = { $ref: "#/components/responses/Problem" };

function build(...routes: RegisteredRoute[]) {
  return buildOpenApi(routes, OPTIONS);
}

describe("the OpenAPI document", () => {
  it("has every part of a route's schema and its declared facts", () => {
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
              { name: "to", in: "query", required: false, schema: text },
              { name: "x-batch-id", in: "header", required: false, schema: text },
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

  it("holds the error body once, and a shared response for each status that a route names", () => {
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
              { name: "a", required: true },
              { name: "b", required: false },
            ],
            requestBody: { content: content({ ...schema, required: ["a"] }) },
          },
        },
      },
    });
  });

  it("sorts paths and methods, whatever the order of registration", () => {
    const [a, b, c] = [
      { method: "POST", path: "/b", config: {} },
      { method: "GET", path: "/b", config: {} },
      { method: "GET", path: "/a", config: {} },
    ];
    const document = JSON.stringify(build(a, b, c));
    expect(JSON.stringify(build(c, a, b))).toBe(document);
    expect(document).toMatch(/"\/a":.*"\/b":\{"get":.*"post":/);
  });

  it.each([
    ["a nullable body is optional", { type: ["object", "null"] }, false],
    ["a union with null is optional", { anyOf: [{ type: "object" }, { type: "null" }] }, false],
    ["any other body is required", { type: "object" }, true],
  ])("says that %s", (_rule, body, required) => {
    const document = build({ method: "POST", path: "/a", config: {}, schema: { body } });
    expect(document).toMatchObject({ paths: { "/a": { post: { requestBody: { required } } } } });
  });

  it("accepts any content type where the handler streams the body, and declares no schema that is missing", () => {
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

  it("refuses a query schema whose parameters cannot be listed", () => {
    const querystring = { anyOf: [{ type: "object" }] };
    expect(() => build({ method: "GET", path: "/a", config: {}, schema: { querystring } })).toThrow(
      "GET /a: the query schema must be one object with properties",
    );
  });
});
