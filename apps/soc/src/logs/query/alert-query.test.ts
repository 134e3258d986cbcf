import { describe, expect, it } from "vitest";
import { buildAlert, type NewAlert } from "../../alerts/alerts/alert.ts";
import type { AlertTest } from "../../alerts/alerts/alert-query.ts";
import { compileAlertQuery } from "./alert-query.ts";

const NOW = new Date("2026-06-01T12:00:00Z");
const ID = "019a0000-0000-7000-8000-000000000001";
const REPORTS: NewAlert[] = (["critical", "high", "medium", "low", "info"] as const).flatMap((severity, place) =>
  ["WS1", "ws1.corp.example", undefined].map((host) => ({
    title: `Finding ${place} on ${host}`,
    source: place % 2 === 0 ? "edr" : "ids",
    severity,
    tags: place % 2 === 0 ? ["noisy"] : [],
    ...(host !== undefined && { host }),
    ...(place > 1 && { risk_score: place * 20 }),
  })),
);
const ALERTS = REPORTS.map((report) => buildAlert(report, ID, NOW));
type Row = (typeof ALERTS)[number];

/** Evaluates the test as the database would. */
function passes(alert: Row, test: AlertTest): boolean {
  switch (test.kind) {
    case "all":
      return true;
    case "and":
      return test.of.every((each) => passes(alert, each));
    case "or":
      return test.of.some((each) => passes(alert, each));
    case "not":
      return !passes(alert, test.of);
    case "severity":
      return test.values.includes(alert.severity);
    case "status":
      return test.values.includes(alert.status);
    case "keys":
      return test.keys.some((key) => alert.filter_keys.includes(key));
    case "number": {
      const value = alert[test.column];
      if (value === null) return false;
      const signs = {
        lt: value < test.value,
        le: value <= test.value,
        gt: value > test.value,
        ge: value >= test.value,
      };
      return test.comparison === "eq" ? value === test.value : signs[test.comparison];
    }
    default:
      return test satisfies never;
  }
}

describe("an alert query", () => {
  it.each([
    ["severity:critical", true],
    ["severity:>=high", true],
    ["severity:(high OR LOW) AND status:new", true],
    ["NOT severity:high", true],
    ["NOT (severity:high OR status:clo*)", true],
    ["risk_score:>=60", true],
    ["NOT risk_score:>=60", true],
    ["occurrence_count:<2 severity:critical", true],
    ["host:ws1", false],
    ["NOT host:ws1", false],
    ["host:ws1 AND severity:high", false],
    ["title:*corp* OR severity:info", false],
    ["tags:noisy AND NOT source:ids", false],
    ["finding", false],
  ])("decides whether the table alone can answer %s: %s", (text, isAnswered) => {
    const { test, isExact, ...query } = compileAlertQuery(text);
    expect(isExact).toBe(isAnswered);
    const found = ALERTS.filter((alert) => query.matches(alert));
    expect(found.length).toBeGreaterThan(0);
    const possible = ALERTS.filter((alert) => passes(alert, test));
    if (isExact) expect(possible).toEqual(found);
    expect(found.filter((alert) => !possible.includes(alert))).toEqual([]);
  });

  it("refuses a wrong query with its position", () => {
    expect(() => compileAlertQuery("tittle:x")).toThrow(
      "query: there is no field 'tittle' (the closest is 'title'), at character 1",
    );
  });
});
