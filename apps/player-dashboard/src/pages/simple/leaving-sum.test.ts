import { expect, it } from "vitest";
import { createSum, isSolved, readNumber } from "./leaving-sum.ts";

it.each([
  ["14", 14],
  [" 14 ", 14],
  ["١٤", 14],
  ["۱۴", 14],
  ["", undefined],
  ["1.4", undefined],
  ["-14", undefined],
  ["fourteen", undefined],
])("reads %j as %s", (typed, value) => {
  expect(readNumber(typed)).toBe(value);
});

it("is solved by its result only", () => {
  const sum = { first: 6, second: 8 };
  expect([isSolved(sum, "14"), isSolved(sum, "١٤"), isSolved(sum, "15"), isSolved(sum, "")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it("asks for different small sums, all above ten", () => {
  const sums = Array.from({ length: 20 }, (_, seed) => createSum(1_794_736_000_000 + seed));
  expect(new Set(sums.map(({ first, second }) => `${first}+${second}`)).size).toBe(20);
  for (const { first, second } of sums) expect(first + second).toBeGreaterThan(10);
  for (const { first, second } of sums) expect(Math.max(first, second)).toBeLessThan(10);
});
