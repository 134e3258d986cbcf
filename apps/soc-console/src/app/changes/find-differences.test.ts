import { expect, test } from "vitest";
import { findDifferences } from "./find-differences.ts";

test("names what a change adds, sets and takes out, and leaves what it does not name", () => {
  const before = { other: 1, same: "a", changed: ["x"], gone: "z" };
  expect(findDifferences(before, { added: { a: 1 }, same: "a", changed: ["x", "y"], gone: null })).toEqual([
    { name: "added", before: "", after: '{"a":1}' },
    { name: "changed", before: "x", after: "x, y" },
    { name: "gone", before: "z", after: "" },
  ]);
});

test("leaves out what the service sets by itself, and what is empty on both sides", () => {
  expect(findDifferences({ id: "1", note: null }, { id: "2", updated_at: "now", note: undefined })).toEqual([]);
});
