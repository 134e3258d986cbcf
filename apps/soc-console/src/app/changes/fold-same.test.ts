import { compareLines } from "@kit/query/line-difference";
import { expect, it } from "vitest";
import { foldSame } from "./fold-same.ts";

it("folds lines that are far from a change, and counts them", () => {
  const before = Array.from({ length: 20 }, (_, line) => `line ${line}`);
  const folded = foldSame(compareLines(before, before.with(10, "changed")));
  expect(folded.at(0)).toEqual({ kind: "gap", count: 7 });
  expect(folded.at(-1)).toEqual({ kind: "gap", count: 6 });
  expect(folded).toHaveLength(10);
});
