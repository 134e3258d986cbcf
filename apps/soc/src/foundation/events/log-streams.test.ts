import { expect, it } from "vitest";
import { hasReached } from "./log-streams.ts";

it.each([
  ["abc:7", "abc:7", true],
  ["abc:10", "abc:9", true],
  ["abc:9", "abc:10", false],
  ["other:10", "abc:9", false],
  [undefined, "abc:0", false],
  ["a:b:2", "a:b:1", true],
])("compares the places %s and %s", (handled, end, isReached) => {
  expect(hasReached(handled, end)).toBe(isReached);
});
