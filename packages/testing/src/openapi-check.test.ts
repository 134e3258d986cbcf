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
    ["information without a version", { ...createDocument({}), info: { title: "A product" } }, "version"],
    ["a type that JSON Schema does not define", createDocument({ schema: { type: "strnig" } }), "/type"],
    ["a tuple of an older JSON Schema", createDocument({ schema: { items: [{ type: "string" }] } }), "/items"],
    ["a security scheme that is missing", createDocument({ security: "key" }), "no security scheme 'key'"],
    ["an older version", { ...createDocument({}), openapi: "3.0.3" }, "3.0"],
  ])("finds %s", async (_fault, document, message) => {
    expect((await findOpenApiFaults(document)).join("\n")).toContain(message);
  });
});
