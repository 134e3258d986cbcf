import { expect, test } from "vitest";
import {
  ALL_SELECTED,
  countSelected,
  extendRange,
  isSelected,
  markRows,
  NONE_SELECTED,
  toggleRow,
} from "./selection.ts";

test("toggles a row on and off", () => {
  const one = toggleRow(NONE_SELECTED, "a");
  expect([isSelected(one, "a"), isSelected(one, "b"), countSelected(one, 1284)]).toEqual([true, false, 1]);
  expect(countSelected(toggleRow(one, "a"), 1284)).toBe(0);
});

test("excludes a deselected row from 'all matching', also when more rows match later", () => {
  const most = toggleRow(ALL_SELECTED, "a");
  expect([isSelected(most, "a"), isSelected(most, "b")]).toEqual([false, true]);
  expect([countSelected(most, 1284), countSelected(most, 1290)]).toEqual([1283, 1289]);
  expect(countSelected(toggleRow(most, "a"), 1284)).toBe(1284);
});

test("gives a range the state of the row where it begins", () => {
  const started = toggleRow(NONE_SELECTED, "b");
  const three = extendRange(started, ["b", "c", "d"]);
  expect(["a", "b", "c", "d"].map((id) => isSelected(three, id))).toEqual([false, true, true, true]);
  const without = extendRange(toggleRow(ALL_SELECTED, "b"), ["b", "c"]);
  expect(["a", "b", "c"].map((id) => isSelected(without, id))).toEqual([true, false, false]);
  expect(extendRange(started, [])).toBe(started);
});

test("replaces a selection instead of mutating it", () => {
  markRows(NONE_SELECTED, ["a"], true);
  toggleRow(ALL_SELECTED, "a");
  expect([countSelected(NONE_SELECTED, 10), countSelected(ALL_SELECTED, 10)]).toEqual([0, 10]);
});

test("never counts below 0 when excluded rows disappear", () => {
  expect(countSelected(markRows(ALL_SELECTED, ["a", "b"], false), 1)).toBe(0);
});
