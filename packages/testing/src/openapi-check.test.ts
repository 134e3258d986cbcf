import { describe, expect, it } from "vitest";
import { findNamelessParts, findOpenApiFaults, formatDocument } from "./openapi-check.ts";

const TOKEN = { type: "http", scheme: "bearer" };

function createDocument({ schema = {}, security = "token" }) {
  const content = { "application/json": { schema } };
  return {
    openapi: "3.1.0",
    info: { title: "A product", version: "1" },
    paths: {
      "/things": { get: { security: [{ [security]: [] }], responses: { 200: { description: "OK", content } } } },
    },
    components: { securitySchemes: { token: TOKEN } },
  };
}

describe("check of an OpenAPI document", () => {
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
    [
      "a reference to a schema that is missing",
      createDocument({ schema: { $ref: "#/components/schemas/Thing" } }),
      "Can't resolve #/components/schemas/Thing",
    ],
    [
      "an invalid schema among the named ones",
      {
        ...createDocument({}),
        components: { securitySchemes: { token: TOKEN }, schemas: { Thing: { type: "strnig" } } },
      },
      "/components/schemas/Thing",
    ],
    ["an older version", { ...createDocument({}), openapi: "3.0.3" }, "3.0"],
  ])("finds %s", async (_fault, document, message) => {
    expect((await findOpenApiFaults(document)).join("\n")).toContain(message);
  });
});

describe("check of names in an OpenAPI document", () => {
  const named = { operationId: "listThings", summary: "List things", tags: ["things"] };
  const object = { type: "object", properties: { a: { type: "string" } } };
  const answering = (schema: object) => ({ 200: { content: { "application/json": { schema } } } });
  const withOperation = (operation: object) => ({
    tags: [{ name: "things", description: "What there is." }],
    paths: { "/things": { get: operation } },
  });

  it("accepts an operation with a name, a summary, a tag and a named body", () => {
    const thing = { $ref: "#/components/schemas/Thing" };
    const responses = answering({ anyOf: [thing, { type: "null" }] });
    expect(findNamelessParts(withOperation({ ...named, responses }))).toEqual([]);
  });

  it.each([
    ["an operation without operationId", { ...named, operationId: undefined }, "has no operationId"],
    ["an operationId that is no word in camelCase", { ...named, operationId: "list_things" }, "has no operationId"],
    ["a summary that ends with a full stop", { ...named, summary: "List things." }, "has no summary"],
    ["an operation without a tag", { ...named, tags: [] }, "has no tag"],
    ["a tag without a description", { ...named, tags: ["others"] }, "has no tag with a description"],
    ["a body without a name", { ...named, responses: answering(object) }, "schema: has no name"],
    ["an alternative without a name", { ...named, responses: answering({ anyOf: [object] }) }, "schema: has no name"],
  ])("finds %s", (_fault, operation, message) => {
    expect(findNamelessParts(withOperation(operation))).toEqual([expect.stringContaining(message)]);
  });

  it("finds a large schema that is repeated", () => {
    const large = { ...object, description: "x".repeat(200) };
    const schemas = { Thing: { properties: { one: large, other: large } } };
    expect(findNamelessParts({ components: { schemas } })).toEqual([
      "/components/schemas/Thing/properties/other: repeats /components/schemas/Thing/properties/one without a name",
    ]);
  });
});

it("formats a document with one line per value that fits, without changing it", () => {
  const long = "x".repeat(100);
  const document = { short: { a: [1, 2] }, long: [long, { b: long }] };
  const text = formatDocument(document);
  expect(JSON.parse(text)).toEqual(document);
  expect(text.split("\n")).toEqual([
    "{",
    ' "short": {"a":[1,2]},',
    ' "long": [',
    `  "${long}",`,
    `  {"b":"${long}"}`,
    " ]",
    "}",
  ]);
});
