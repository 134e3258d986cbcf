import { expect, it } from "vitest";
import { applyPatch, isHandledBy, listDifferences, listPivots } from "./alert-item.ts";
import type { Alert } from "./alerts-client.ts";

const ALERT = {
  ...{ source: "edr", severity: "high", status: "new", occurrence_count: 7, case_id: null, rule_id: null },
  ...{ mitre_techniques: ["T1003.001"], host: "fin-ws-014", user: null, site: null, assignee: null },
  ...{ resolution: null, verdict: null, tags: ["lab"] },
} satisfies Partial<Alert>;
const COUNTED_AGAIN = { ...ALERT, occurrence_count: 8 };

it("counts an alert as handled when another user closed or took it, but not when it recurred", () => {
  expect(isHandledBy(ALERT, { ...ALERT, status: "resolved" }, "layla")).toBe(true);
  expect(isHandledBy(ALERT, { ...ALERT, assignee: "yara" }, "layla")).toBe(true);
  expect(isHandledBy(ALERT, { ...ALERT, assignee: "layla" }, "layla")).toBe(false);
  expect(isHandledBy(ALERT, COUNTED_AGAIN, "layla")).toBe(false);
});

it("names the fields that a preview would change", () => {
  const after = applyPatch(ALERT, { status: "resolved", verdict: "true_positive" });
  expect(listDifferences(ALERT, after)).toEqual([
    { field: "status", before: "new", after: "resolved" },
    { field: "verdict", before: "", after: "true_positive" },
  ]);
  expect(listDifferences(ALERT, COUNTED_AGAIN)).toEqual([]);
});

it("names the tags that another person has changed", () => {
  expect(listDifferences(ALERT, { ...ALERT, tags: ["lab", "vip"] })).toEqual([
    { field: "tags", before: "lab", after: "lab, vip" },
  ]);
});

it("offers only the values that the alert has", () => {
  expect(listPivots(ALERT)).toEqual([
    { field: "host", value: "fin-ws-014" },
    { field: "technique", value: "T1003.001" },
    { field: "severity", value: "high" },
    { field: "status", value: "new" },
    { field: "source", value: "edr" },
    { field: "assignee", value: "none" },
  ]);
});
