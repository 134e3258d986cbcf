import { expect, it } from "vitest";
import { resumeAtMs } from "./resume-position.ts";

it.each([
  [0, 0],
  [9_999, 0],
  [10_000, 8_000],
  [61_234, 59_234],
])("resumes a file that was stopped at %i ms at %i ms", (position, expected) => {
  expect(resumeAtMs(position)).toBe(expected);
});
