import { expect, it } from "vitest";
import { ALL_SITES, isSameScope, listTexts, pairTexts } from "./caller.ts";

it("parses the sites of a caller from their ids and names", () => {
  const sites = [
    { id: "id-a", name: "Alpha" },
    { id: "id-b", name: "Beta" },
  ];
  expect(pairTexts(listTexts(sites))).toEqual(sites);
  expect(pairTexts([])).toEqual([]);
});

it.each([
  [ALL_SITES, ALL_SITES, true],
  [["a", "A"], ALL_SITES, false],
  [[], ALL_SITES, false],
  [["a", "A", "b", "B"], ["b", "B", "a", "A"], true],
  [["a", "A", "b", "B"], ["a", "A"], false],
  [["a", "A"], ["b", "B"], false],
] as const)("compares the scopes %j and %j: %j", (one, other, isSame) => {
  expect(isSameScope(one, other)).toBe(isSame);
  expect(isSameScope(other, one)).toBe(isSame);
});
