import { expect, it } from "vitest";
import { parseProblem } from "./parse-problem.ts";

it("finds the place in a refusal of the service", () => {
  expect(parseProblem("yaml: Map keys must be unique, at line 3, column 1")).toEqual({
    message: "Map keys must be unique",
    line: 3,
    column: 1,
  });
});

it("keeps a refusal without a place", () => {
  expect(parseProblem("yaml: must have a playbook")).toEqual({
    message: "must have a playbook",
    line: null,
    column: null,
  });
});
