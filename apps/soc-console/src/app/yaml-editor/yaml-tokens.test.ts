import { describe, expect, it } from "vitest";
import { tokenizeLine } from "./yaml-tokens.ts";

const read = (line: string) => tokenizeLine(line).map(({ from, to, kind }) => [kind, line.slice(from, to)]);

describe("a line of YAML", () => {
  it("recognizes a key, also after a dash", () => {
    expect(read("  - id: search")).toEqual([["key", "id"]]);
    expect(read("steps:")).toEqual([["key", "steps"]]);
  });

  it("recognizes templates inside a quoted text", () => {
    expect(read('body: "of {alert.host} now"')).toEqual([
      ["key", "body"],
      ["quoted", '"of '],
      ["template", "{alert.host}"],
      ["quoted", ' now"'],
    ]);
  });

  it("ends at a comment, but not at a # in quotes", () => {
    expect(read("a: 1 # why")).toEqual([
      ["key", "a"],
      ["comment", " # why"],
    ]);
    expect(read('a: "x # y"')).toEqual([
      ["key", "a"],
      ["quoted", '"x # y"'],
    ]);
  });

  it("finds no key in an address", () => {
    expect(read("https://example")).toEqual([]);
  });
});
