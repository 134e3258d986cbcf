import { expect, it } from "vitest";
import { listTexts, pairTexts } from "./scope.ts";

it("reads the sites of a caller from their texts", () => {
  const sites = [
    { id: "id-a", name: "Alpha" },
    { id: "id-b", name: "Beta" },
  ];
  expect(pairTexts(listTexts(sites))).toEqual(sites);
  expect(pairTexts([])).toEqual([]);
});
