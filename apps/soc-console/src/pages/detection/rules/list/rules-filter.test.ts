import { expect, it } from "vitest";
import { falseShare, isFiltered, parseFilter, toQuery } from "./rules-filter.ts";

it("reads the filter from the address and leaves out what it does not know", () => {
  const filter = parseFilter({ q: "lsass", enabled: "off", severity: "high", type: "nonsense", sort: "name" });
  expect(filter).toMatchObject({ q: "lsass", enabled: false, severity: "high", type: undefined, sort: "-updated_at" });
  expect(toQuery(filter)).toEqual({
    ...{ q: "lsass", tag: undefined, source: undefined, technique: undefined, severity: "high" },
    ...{ type: undefined, origin: undefined, enabled: false, sort: "-updated_at" },
  });
});

it("counts rules that are switched off as a filter, and the order as none", () => {
  expect(isFiltered(parseFilter({ sort: "-created_at" }))).toBe(false);
  expect(isFiltered(parseFilter({ enabled: "off" }))).toBe(true);
});

it("has no share of false positives before a verdict", () => {
  expect(falseShare({ true_positives_30d: 0, false_positives_30d: 0 })).toBeUndefined();
  expect(falseShare({ true_positives_30d: 1, false_positives_30d: 3 })).toBe(0.75);
});
