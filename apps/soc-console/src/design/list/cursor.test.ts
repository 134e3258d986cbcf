import { expect, test } from "vitest";
import { findRow, moveCursor } from "./cursor.ts";
import { completeList } from "./list-pages.ts";

const pages = completeList(["a", "b", "c", "d"]);
const asKey = (row: string) => row;

test("finds a row from any previous position", () => {
  expect([0, 2, 3, 99].map((hint) => findRow(pages, asKey, "b", hint))).toEqual([1, 1, 1, 1]);
  expect(findRow(pages, asKey, "x", 0)).toBe(-1);
  expect(findRow(pages, asKey, undefined, 0)).toBe(-1);
  expect(findRow(completeList<string>([]), asKey, "a", 0)).toBe(-1);
});

test("keeps the cursor inside the list and starts at the first row", () => {
  expect(moveCursor(pages, asKey, { key: "b", index: 1 }, 1)).toEqual({ key: "c", index: 2 });
  expect(moveCursor(pages, asKey, { key: "b", index: 1 }, -5)).toEqual({ key: "a", index: 0 });
  expect(moveCursor(pages, asKey, { key: "b", index: 1 }, 5)).toEqual({ key: "d", index: 3 });
  expect(moveCursor(pages, asKey, { key: undefined, index: 0 }, 1)).toEqual({ key: "a", index: 0 });
  expect(moveCursor(completeList<string>([]), asKey, { key: "a", index: 0 }, 1)).toBeUndefined();
});
