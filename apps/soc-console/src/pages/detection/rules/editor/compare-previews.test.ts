import { expect, it } from "vitest";
import { comparePreviews } from "./compare-previews.ts";

const preview = (ids: readonly string[], counts: readonly number[], total = ids.length) => ({
  ...{ total, is_capped: false, logs: ids.map((id) => ({ id })) },
  histogram: counts.map((count, at) => ({ at: String(at), count })),
});

it("compares logs when both responses are complete", () => {
  expect(comparePreviews(preview(["a", "b"], [2]), preview(["b", "c", "d"], [3]))).toEqual({
    ...{ added: 2, removed: 1, isExact: true },
  });
});

it("compares counts per interval when a response lists only some logs", () => {
  expect(comparePreviews(preview(["a"], [5, 0, 3], 8), preview(["a"], [2, 4, 3], 9))).toEqual({
    ...{ added: 4, removed: 3, isExact: false },
  });
});

it("finds no difference when the draft equals the stored version, for any number of matches", () => {
  const same = preview(["a"], [5], 5);
  expect(comparePreviews(same, same)).toEqual({ added: 0, removed: 0, isExact: true });
  expect(comparePreviews(same, preview(["a"], [5], 5))).toEqual({ added: 0, removed: 0, isExact: false });
});
