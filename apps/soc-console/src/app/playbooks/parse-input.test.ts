import { describe, expect, it } from "vitest";
import { parseInput } from "./parse-input.ts";

describe("a parameter of a playbook", () => {
  it.each([
    ["text", " fin-ws-014 ", "fin-ws-014"],
    ["number", "60", 60],
    ["boolean", "true", true],
    ["boolean", "false", false],
    ["list", "a, b\nc,", ["a", "b", "c"]],
    ["number", "  ", undefined],
  ] as const)("parses an input of type %s from '%s'", (type, text, value) => {
    expect(parseInput({ type }, text)).toEqual(value);
  });
});
