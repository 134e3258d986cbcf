import { expect, it } from "vitest";
import { countLitLamps, louder, quieter } from "./volume-steps.ts";

it.each([
  [0, 70, 10],
  [35, 70, 40],
  [40, 70, 50],
  [60, 70, 70],
  [70, 70, 70],
  [65, 67, 67],
  [90, 70, 70],
])("goes one step louder from %i to at most %i: %i", (volume, limit, expected) => {
  expect(louder(volume, limit)).toBe(expected);
});

it.each([
  [70, 70, 60],
  [67, 70, 60],
  [10, 70, 0],
  [5, 70, 0],
  [0, 70, 0],
  [100, 70, 70],
])("goes one step quieter from %i with a limit of %i: %i", (volume, limit, expected) => {
  expect(quieter(volume, limit)).toBe(expected);
});

it.each([
  [0, 70, 0],
  [1, 70, 1],
  [35, 70, 4],
  [70, 70, 7],
  [100, 70, 7],
  [0, 0, 0],
  [10, 0, 0],
])("lights the lamps for a volume of %i of %i: %i of seven", (volume, limit, expected) => {
  expect(countLitLamps(volume, limit, 7)).toBe(expected);
});
