import { expect, it } from "vitest";
import { applyPatch, isHandledBy, listDifferences, listPivots } from "./alert-item.ts";
import type { Alert } from "./alerts-client.ts";

const ALERT: Alert = {
  ...{ id: "a1", title: "LSASS memory read", description: null, source: "edr", severity: "high", status: "new" },
  ...{ iocs: [], occurrence_count: 7, first_seen: "2026-11-17T18:37:00Z", last_seen: "2026-11-17T19:41:08Z" },
  ...{ event_first_at: null, event_last_at: null, reopened_count: 0, reopened_at: null, case_id: null, rule_id: null },
  ...{ log_ids: [], mitre_techniques: ["T1003.001"], host: "fin-ws-014", user: null, site: null },
  entities: { hosts: [], users: [], addresses: [], is_complete: true },
  ...{ group: null, risk_score: null, assignee: null, acknowledged_at: null, acknowledged_by: null },
  ...{ resolved_at: null, resolution: null, verdict: null, verdict_at: null, suppressed_since_verdict: 0, tags: [] },
  ...{ created_at: "2026-11-17T18:37:00Z", updated_at: "2026-11-17T18:37:00Z" },
};

it("is handled when another person has closed or taken it, not when it was counted again", () => {
  expect(isHandledBy(ALERT, { ...ALERT, status: "resolved" }, "layla")).toBe(true);
  expect(isHandledBy(ALERT, { ...ALERT, assignee: "yara" }, "layla")).toBe(true);
  expect(isHandledBy(ALERT, { ...ALERT, assignee: "layla" }, "layla")).toBe(false);
  expect(isHandledBy(ALERT, { ...ALERT, occurrence_count: 8 }, "layla")).toBe(false);
});

it("names the fields that a preview would change", () => {
  const after = applyPatch(ALERT, { status: "resolved", verdict: "true_positive" });
  expect(listDifferences(ALERT, after)).toEqual([
    { field: "status", before: "new", after: "resolved" },
    { field: "verdict", before: "", after: "true_positive" },
  ]);
});

it("offers the values that the alert has, and no others", () => {
  expect(listPivots(ALERT)).toEqual([
    { field: "host", value: "fin-ws-014" },
    { field: "technique", value: "T1003.001" },
    { field: "severity", value: "high" },
    { field: "status", value: "new" },
    { field: "source", value: "edr" },
    { field: "assignee", value: "none" },
  ]);
});
