import { expect, it } from "vitest";
import { falseShare, isFiltered, parseFilter, toQuery } from "./rules-filter.ts";

it("reads the filter from the address and ignores unknown values", () => {
  const filter = parseFilter({ q: "lsass", enabled: "off", severity: "high", type: "nonsense", sort: "name" });
  expect(filter).toMatchObject({ q: "lsass", enabled: false, severity: "high", type: undefined, sort: "-updated_at" });
  expect(toQuery(filter)).toEqual({
    ...{ q: "lsass", tag: undefined, source: undefined, technique: undefined, severity: "high" },
    ...{ type: undefined, origin: undefined, enabled: false, sort: "-updated_at" },
  });
});

it("counts the state of rules as a filter, but not the order", () => {
  expect(isFiltered(parseFilter({ sort: "-created_at" }))).toBe(false);
  expect(isFiltered(parseFilter({ enabled: "off" }))).toBe(true);
});

it("has no false positive rate before a verdict", () => {
  expect(falseShare({ true_positives_30d: 0, false_positives_30d: 0 })).toBeUndefined();
  expect(falseShare({ true_positives_30d: 1, false_positives_30d: 3 })).toBe(0.75);
});
