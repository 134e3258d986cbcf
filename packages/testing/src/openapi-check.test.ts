import { describe, expect, it } from "vitest";
import { findOpenApiFaults } from "./openapi-check.ts";

function createDocument({ schema = {}, security = "token" }) {
  const content = { "application/json": { schema } };
  return {
    openapi: "3.1.0",
    info: { title: "A product", version: "1" },
    paths: {
      "/things": { get: { security: [{ [security]: [] }], responses: { 200: { description: "OK", content } } } },
    },
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  };
}

describe("the check of an OpenAPI document", () => {
  it("accepts a valid document", async () => {
    expect(await findOpenApiFaults(createDocument({ schema: { type: ["object", "null"] } }))).toEqual([]);
  });

  it.each([
    [
      "a parameter",
      { parameters: [{ name: "limit", in: "query", required: true, schema: { default: 50 } }] },
      "/limit",
    ],
    [
      "a property of a body",
      {
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { list: { items: { required: ["a"], properties: { a: { default: 1 } } } } },
              },
            },
          },
        },
      },
      "/a: is required",
    ],
  ])("finds %s that is required although it has a default", async (_what, request, message) => {
    const document = createDocument({});
    Object.assign(document.paths["/things"].get, request);
    expect((await findOpenApiFaults(document)).join("\n")).toContain(message);
  });

  it.each([
    ["information without a version", { ...createDocument({}), info: { title: "A product" } }, "version"],
    ["a type that JSON Schema does not define", createDocument({ schema: { type: "strnig" } }), "/type"],
    ["a tuple of an older JSON Schema", createDocument({ schema: { items: [{ type: "string" }] } }), "/items"],
    ["a security scheme that is missing", createDocument({ security: "key" }), "no security scheme 'key'"],
    ["an older version", { ...createDocument({}), openapi: "3.0.3" }, "3.0"],
  ])("finds %s", async (_fault, document, message) => {
    expect((await findOpenApiFaults(document)).join("\n")).toContain(message);
  });
});
