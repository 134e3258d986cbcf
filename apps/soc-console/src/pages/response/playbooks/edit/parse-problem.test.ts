import { expect, it } from "vitest";
import { parseProblem } from "./parse-problem.ts";

it("finds the position in an error message of the service", () => {
  expect(parseProblem("yaml: Map keys must be unique, at line 3, column 1")).toEqual({
    message: "Map keys must be unique",
    line: 3,
    column: 1,
  });
});

it("keeps an error message without a position", () => {
  expect(parseProblem("yaml: must contain a playbook")).toEqual({
    message: "must contain a playbook",
    line: null,
    column: null,
  });
});
