import { expect, it } from "vitest";
import { splitUnified } from "./split-unified.ts";

it("splits a difference into the text before and the text after", () => {
  const unified = "--- version 1\n+++ version 2\n@@ -1,3 +1,3 @@\n name: A\n-query: x\n+query: y\n tags: []\n";
  expect(splitUnified(unified)).toEqual({
    before: "name: A\nquery: x\ntags: []",
    after: "name: A\nquery: y\ntags: []",
  });
});

it("is empty when nothing differs", () => {
  expect(splitUnified("")).toEqual({ before: "", after: "" });
});
