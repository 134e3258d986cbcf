import { describe, expect, it } from "vitest";
import { createNullRemoval, publishRequest } from "./optional-fields.ts";

const text = { type: "string" };

describe("published request schema", () => {
  it("does not require a property with a default at any depth", () => {
    const sort = { type: "string", default: "name" };
    const part = { type: "object", required: ["id", "sort"], properties: { id: text, sort } };
    const schema = {
      type: "object",
      required: ["limit"],
      properties: { limit: { type: "integer", default: 50 }, parts: { type: "array", items: { anyOf: [part, text] } } },
    };
    expect(publishRequest(schema)).toEqual({
      type: "object",
      properties: {
        limit: { type: "integer", default: 50 },
        parts: { type: "array", items: { anyOf: [{ ...part, required: ["id"] }, text] } },
      },
    });
  });

  it("keeps properties and values that are named like keywords", () => {
    const schema = {
      type: "object",
      required: ["required"],
      properties: {
        required: text,
        properties: { type: "object", default: { required: ["a"], properties: { a: { default: 1 } } } },
      },
    };
    expect(publishRequest(schema)).toEqual(schema);
  });
});

describe("null in a request", () => {
  const clean = (schema: object, value: unknown) => {
    createNullRemoval(schema)(value);
    return value;
  };
  const nested = { type: "object", required: ["id"], properties: { id: text, note: text } };

  it.each([
    ["an optional field", { type: "object", properties: { a: text } }, { a: null }, {}],
    [
      "a field with a default",
      { type: "object", required: ["a"], properties: { a: { ...text, default: "x" } } },
      { a: null },
      {},
    ],
    [
      "a nested field",
      { type: "object", properties: { in: nested } },
      { in: { id: "1", note: null } },
      { in: { id: "1" } },
    ],
    ["a field of an item", { type: "array", items: nested }, [{ id: "1", note: null }], [{ id: "1" }]],
    ["a field of an entry", { type: "object", patternProperties: { ".*": nested } }, { x: { note: null } }, { x: {} }],
    [
      "a field that is optional in one alternative",
      { anyOf: [nested, { type: "object", required: ["note"], properties: { note: text } }] },
      { id: "1", note: null },
      { id: "1" },
    ],
  ])("counts as absent for %s", (_where, schema, value, cleaned) => {
    expect(clean(schema, value)).toEqual(cleaned);
  });

  it.each([
    ["a required field", nested, { id: null }],
    ["a field of a type with null", { type: "object", properties: { a: { type: ["string", "null"] } } }, { a: null }],
    ["a union with null", { type: "object", properties: { a: { anyOf: [text, { type: "null" }] } } }, { a: null }],
    ["an enumeration with null", { type: "object", properties: { a: { enum: ["x", null] } } }, { a: null }],
    ["a field without a type", { type: "object", properties: { a: {} } }, { a: null }],
    [
      "a field that the schema does not name",
      { type: "object", properties: {}, additionalProperties: true },
      { a: null },
    ],
    ["an item of a list", { type: "array", items: text }, [null]],
    ["the whole body", { anyOf: [nested, { type: "null" }] }, null],
    ["a body of another type", nested, "text"],
  ])("is kept for %s", (_where, schema, value) => {
    const before = structuredClone(value);
    expect(clean(schema, value)).toEqual(before);
  });
});
