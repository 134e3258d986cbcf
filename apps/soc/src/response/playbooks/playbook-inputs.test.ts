import { expect, it } from "vitest";
import type { PlaybookInput } from "./playbook.ts";
import { fillInputs, fitsAlert, listFilled, requireInputs } from "./playbook-inputs.ts";

const input = (fields: Partial<PlaybookInput> = {}): PlaybookInput => ({
  name: "host",
  type: "text",
  required: true,
  from: "alert.host",
  description: "",
  ...fields,
});
const SCOPE = { alert: { host: "WS-1", user: null, risk_score: 40, iocs: ["a"], description: " " }, case: {} };

it("takes omitted parameters from their fields and never replaces given ones", () => {
  expect(fillInputs([input()], { other: 1 }, SCOPE)).toEqual({ other: 1, host: "WS-1" });
  expect(fillInputs([input()], { host: "WS-2" }, SCOPE)).toEqual({ host: "WS-2" });
  expect(fillInputs([input()], { host: "" }, SCOPE)).toEqual({ host: "WS-1" });
  expect(fillInputs([input({ name: "user", from: "alert.user" })], {}, SCOPE)).toEqual({});
  expect(fillInputs([input({ name: "title", from: "case.title" })], {}, SCOPE)).toEqual({});
});

it.each([
  [input({ from: null }), {}, "parameters.host: is required"],
  [input(), { host: "  " }, "parameters.host: is required, because alert.host has no value"],
  [input({ type: "list" }), { host: [] }, "parameters.host: is required, because alert.host has no value"],
  [input({ type: "list" }), { host: [1] }, "parameters.host: must be a list of texts"],
  [input(), { host: 7 }, "parameters.host: must be a text"],
  [input({ type: "number" }), { host: "7" }, "parameters.host: must be a number"],
  [input({ type: "boolean", required: false }), { host: "yes" }, "parameters.host: must be true or false"],
])("refuses %j with %j", (declared, parameters, why) => {
  expect(() => requireInputs([declared], parameters)).toThrow(why);
});

it("accepts a present input and a missing optional one", () => {
  const inputs = [input(), input({ name: "count", type: "number" }), input({ name: "user", required: false })];
  expect(() => requireInputs(inputs, { host: "WS-1", count: 0 })).not.toThrow();
});

it("checks whether an alert has what a playbook requires", () => {
  const filled = listFilled(SCOPE.alert);
  expect(filled).toEqual(["alert.host text", "alert.risk_score number", "alert.iocs list"]);
  expect(fitsAlert([input()], filled)).toBe(true);
  expect(fitsAlert([input(), input({ from: "alert.user", required: false }), input({ from: null })], filled)).toBe(
    true,
  );
  expect(fitsAlert([input(), input({ from: "alert.user" })], filled)).toBe(false);
  expect(fitsAlert([input({ type: "list" })], filled)).toBe(false);
  expect(fitsAlert([input({ from: "case.title" }), input({ from: null })], filled)).toBe(false);
  expect(fitsAlert([], filled)).toBe(false);
});
