import { expect, it } from "vitest";
import { ALL_SITES } from "./caller.ts";
import { chooseSite } from "./choose-site.ts";

const ONE = ["0190f5d2", "Alpha"];
const TWO = [...ONE, "0190f5d3", "Beta"];

it("leaves the site of a record unchanged for a caller with access to all sites", () => {
  expect(chooseSite(ALL_SITES, undefined)).toBeUndefined();
  expect(chooseSite(ALL_SITES, "Gamma")).toBe("Gamma");
});

it("uses the only site of the caller, or the one that the caller names", () => {
  expect(chooseSite(ONE, undefined)).toBe("Alpha");
  expect(chooseSite(TWO, "Beta")).toBe("Beta");
  expect(chooseSite(TWO, "0190f5d3")).toBe("0190f5d3");
});

it("refuses a foreign site, and a missing site if the caller has several", () => {
  expect(() => chooseSite(ONE, "Beta")).toThrow("site: 'Beta' is not one of your sites");
  expect(() => chooseSite(TWO, undefined)).toThrow("site: is required for a caller with several sites");
  expect(() => chooseSite([], undefined)).toThrow("site: is required");
});
