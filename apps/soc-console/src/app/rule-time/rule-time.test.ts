import { expect, it } from "vitest";
import { listUnwell, sumRuleTime, toPercentages } from "./rule-time.ts";

const RULE = {
  rule_id: "r1",
  ...{ total_s: 1000, ran_s: 1000, late_s: 0, skipped_s: 0, capped_s: 0, silent_s: 0 },
  last_error: null as string | null,
};

it("adds up the time of all rules by category", () => {
  const late = { ...RULE, ran_s: 900, late_s: 60, silent_s: 40 };
  expect(sumRuleTime([RULE, late])).toEqual({ ran: 0.95, late: 0.03, skipped: 0, capped: 0, silent: 0.02 });
  expect(sumRuleTime([])).toBeUndefined();
});

it("rounds to percentages that add up to 100", () => {
  expect(toPercentages([1 / 3, 1 / 3, 1 / 3])).toEqual([33.4, 33.3, 33.3]);
  expect(toPercentages([0.9999, 0.0001, 0])).toEqual([99.9, 0.1, 0]);
  expect(toPercentages([0.9925, 0.0045, 0.003]).reduce((all, value) => all + Math.round(value * 10), 0)).toBe(1000);
});

it("lists rules with an error and rules that did not run enough", () => {
  const failing = { ...RULE, rule_id: "r2", last_error: "query: too large" };
  const late = { ...RULE, rule_id: "r3", ran_s: 949, late_s: 51 };
  expect(listUnwell([RULE, failing, late]).map(({ rule_id }) => rule_id)).toEqual(["r2", "r3"]);
});
