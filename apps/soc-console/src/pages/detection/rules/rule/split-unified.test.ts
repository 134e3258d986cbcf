import { expect, it } from "vitest";
import { splitUnified } from "./split-unified.ts";

it("splits a unified diff into the text before and after", () => {
  const unified = "--- version 1\n+++ version 2\n@@ -1,3 +1,3 @@\n name: A\n-query: x\n+query: y\n tags: []\n";
  expect(splitUnified(unified)).toEqual({
    before: "name: A\nquery: x\ntags: []",
    after: "name: A\nquery: y\ntags: []",
  });
});

it("returns empty texts if nothing differs", () => {
  expect(splitUnified("")).toEqual({ before: "", after: "" });
});
