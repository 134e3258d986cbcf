import { expect, it } from "vitest";
import { chooseSite } from "./choose-site.ts";
import { ALL_SITES } from "./scope.ts";

const ONE = ["0190f5d2", "Alpha"];
const TWO = [...ONE, "0190f5d3", "Beta"];

it("leaves the site of a record to a caller of all sites", () => {
  expect(chooseSite(ALL_SITES, undefined)).toBeUndefined();
  expect(chooseSite(ALL_SITES, "Gamma")).toBe("Gamma");
});

it("takes the only site of the caller, and one that the caller names", () => {
  expect(chooseSite(ONE, undefined)).toBe("Alpha");
  expect(chooseSite(TWO, "Beta")).toBe("Beta");
  expect(chooseSite(TWO, "0190f5d3")).toBe("0190f5d3");
});

it("refuses another one, and none where there are several", () => {
  expect(() => chooseSite(ONE, "Beta")).toThrow("site: 'Beta' is none of the sites that you work for");
  expect(() => chooseSite(TWO, undefined)).toThrow("site: is required from a caller who works for several sites");
  expect(() => chooseSite([], undefined)).toThrow("site: is required");
});
