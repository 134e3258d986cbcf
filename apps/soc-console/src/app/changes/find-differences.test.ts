import { expect, test } from "vitest";
import { findDifferences } from "./find-differences.ts";

test("lists added, changed and removed fields, and ignores fields that the change omits", () => {
  const before = { other: 1, same: "a", changed: ["x"], gone: "z" };
  expect(findDifferences(before, { added: { a: 1 }, same: "a", changed: ["x", "y"], gone: null })).toEqual([
    { name: "added", before: "", after: '{"a":1}' },
    { name: "changed", before: "x", after: "x, y" },
    { name: "gone", before: "z", after: "" },
  ]);
});

test("ignores fields that the service sets, and fields that are empty on both sides", () => {
  expect(findDifferences({ id: "1", note: null }, { id: "2", updated_at: "now", note: undefined })).toEqual([]);
});
