import { expect, it } from "vitest";
import { findNextPrayer } from "./next-prayer.ts";

const EPOCHS = [100, 200, 300, 400, 500, 600];

it.each([
  ["is the next time of the day", { index: 3, epoch: 400 }, { index: 3, epoch: 400 }],
  ["is Dhuhr before sunrise", { index: 1, epoch: 200 }, { index: 2, epoch: 300 }],
  ["is tomorrow's Fajr after Isha", { index: 0, epoch: 900 }, { index: 0, epoch: 900 }],
])("the next prayer %s", (_, next, expected) => {
  expect(findNextPrayer({ epochs: EPOCHS, next })).toEqual(expected);
});

it("does not exist without a place", () => {
  expect(findNextPrayer({ epochs: null, next: null })).toBeUndefined();
});
