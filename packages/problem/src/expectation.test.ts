import { expect, it } from "vitest";
import { describeExpectation } from "./expectation.ts";

it.each([
  [{ type: "integer", minimum: 0, maximum: 100 }, "an integer from 0 to 100"],
  [{ type: "integer", minimum: 1 }, "an integer of at least 1"],
  [{ type: "number", maximum: 90 }, "a number of at most 90"],
  [{ type: "number" }, "a number"],
  [{ type: "boolean" }, "true or false"],
  [{ enum: ["continue", "pause", "stop"] }, "one of continue, pause, stop"],
  [{ const: "surah" }, '"surah"'],
  [{ type: "string", minLength: 1, maxLength: 500 }, "a text of 1 to 500 characters"],
  [{ type: "string", maxLength: 64 }, "a text of at most 64 characters"],
  [{ type: "string", minLength: 12 }, "a text of at least 12 characters"],
  [{ type: "string", format: "date-time" }, "a text in the format date-time"],
  [{ type: "string", pattern: "^postgres(ql)?://" }, "a text of the form ^postgres(ql)?://"],
  [{ type: "array", minItems: 6, maxItems: 6 }, "a list of 6 to 6 items"],
  [{ type: "object" }, "an object"],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "a text or null"],
])("describes what %j allows", (schema, words) => {
  expect(describeExpectation(schema)).toBe(words);
});
