import fc from "fast-check";
import { expect, it } from "vitest";
import { buildBulkAnswer, readBulkItems } from "./bulk-events.ts";

const lines = (...all: (object | string)[]) =>
  all.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");

it("reads alternating actions and documents, with ids unique within their index", () => {
  // elastic.co, "Bulk API", example request.
  const body = lines(
    { index: { _index: "test", _id: "1" } },
    { field1: "value1" },
    { create: { _index: "test", _id: "3" } },
    { field1: "value3" },
    { index: {} },
    { field2: "value2" },
  );
  expect(readBulkItems(body)).toEqual([
    {
      action: "index",
      index: "test",
      id: "1",
      found: { fields: { field1: "value1" }, raw: '{"field1":"value1"}', id: '["test","1"]', isIdUnique: true },
    },
    {
      action: "create",
      index: "test",
      id: "3",
      found: { fields: { field1: "value3" }, raw: '{"field1":"value3"}', id: '["test","3"]', isIdUnique: true },
    },
    { action: "index", index: "", id: undefined, found: { fields: { field2: "value2" }, raw: '{"field2":"value2"}' } },
  ]);
});

it.each([
  [lines({ delete: { _index: "test", _id: "2" } }), ["action: must be one of index, create"]],
  [
    lines({ update: { _id: "1" } }, { doc: {} }, { index: {} }, {}),
    ["action: must be one of index, create", undefined],
  ],
  [lines("{", { index: {} }, {}), ["action: must be valid JSON", undefined]],
  [lines({ index: {} }), ["document: is missing"]],
  [
    lines({ index: {} }, "[1]", { create: {} }, "{oops"),
    ["document: must be an object", "document: must be valid JSON"],
  ],
  [lines({ index: {}, create: {} }), ["action: must be one of index, create with an object"]],
])("names what it does not support: %s", (body, reasons) => {
  expect(readBulkItems(body).map(({ found }) => ("reason" in found ? found.reason : undefined))).toEqual(reasons);
});

it("answers each item in order", () => {
  const items = readBulkItems(lines({ create: { _index: "logs", _id: "a" } }, {}, { index: { _index: "logs" } }, "no"));
  expect(buildBulkAnswer(items, [{ index: 1, reason: "document: must be valid JSON" }], 12.4)).toEqual({
    took: 12,
    errors: true,
    items: [
      { create: { _index: "logs", _id: "a", status: 201, result: "created" } },
      {
        index: {
          _index: "logs",
          status: 400,
          error: { type: "mapper_parsing_exception", reason: "document: must be valid JSON" },
        },
      },
    ],
  });
});

it("never throws and assigns every line to an item", () => {
  const line = fc.constantFrom('{"index":{}}', '{"create":{"_id":"1"}}', '{"update":{}}', "{}", "[]", "x", '{"a":1}');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (all) => {
      const items = readBulkItems(all.join("\n"));
      const stored = items.filter(({ found }) => !("reason" in found));
      const refusedLines = items.flatMap(({ found }) =>
        "reason" in found ? found.raw.split("\n").filter(Boolean) : [],
      );
      expect(stored.length * 2 + refusedLines.length).toBe(all.length);
    }),
    { numRuns: 2000 },
  );
});
