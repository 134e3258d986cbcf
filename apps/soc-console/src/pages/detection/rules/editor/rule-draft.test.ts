import { expect, it } from "vitest";
import type { Rule } from "../rules-client.ts";
import { createDraft, isTestable, splitNames, toBacktest, toChanges, toDraft, toRequest } from "./rule-draft.ts";

const RULE: Rule = {
  ...{ id: "r1", name: "Failed sign-ins", description: "", enabled: true, type: "threshold" },
  ...{ query: "action:sign-in outcome:failure", source: null, host: null, match_severity: null },
  threshold: { count: 5, group_by: ["user"], within_minutes: 10 },
  ...{ alert_severity: "medium", alert_title_template: "Failed sign-ins of {user}", auto_create_case: false },
  ...{ alert_description_template: "{message}", schedule_enabled: true, schedule_interval_minutes: 5 },
  ...{ mitre_techniques: ["T1110"], sharing_mode: "team", shared_with_roles: [], tags: ["identity", "two words"] },
  ...{ sigma: null, overlay: [], version: 1, created_by: "amina", last_run_at: null, next_run_at: null },
  ...{ created_at: "2026-10-08T01:28:42.274Z", updated_at: "2026-10-08T01:28:42.274Z" },
};

it("changes nothing of a rule that was only opened", () => {
  expect(toChanges(toDraft(RULE), RULE)).toEqual({});
  const seconds = { ...RULE, threshold: { count: 5, group_by: [], within_seconds: 30 } };
  expect(toChanges(toDraft(seconds), seconds)).toEqual({});
});

it("sends only the fields that differ", () => {
  const draft = toDraft(RULE);
  const changed = { ...draft, tags: "identity", details: { ...draft.details, count: "8" } };
  expect(toChanges(changed, RULE)).toEqual({
    tags: ["identity"],
    threshold: { count: 8, group_by: ["user"], within_minutes: 10 },
  });
});

it("sends only the details of the selected type", () => {
  const draft = { ...createDraft("x"), name: "n" };
  expect(toRequest(draft).threshold).toBeNull();
  const steps = ["a", " ", "b"];
  expect(toRequest({ ...draft, type: "sequence", details: { ...draft.details, steps } }).threshold).toEqual({
    ...{ steps: ["a", "b"], group_by: ["host"], within_minutes: 10 },
  });
  const fields = "host, process";
  expect(toRequest({ ...draft, type: "new_terms", details: { ...draft.details, fields } }).threshold).toEqual({
    ...{ fields: ["host", "process"], history_days: 7 },
  });
});

it("tests the fields that affect matches, even while the name is empty", () => {
  expect(toBacktest(toRequest(createDraft("host:a")))).toEqual({
    ...{ type: "query", query: "host:a", threshold: null, source: null, host: null },
    alert_title_template: "{rule_name} on {entity}",
  });
  expect(toBacktest({ tags: ["a"], enabled: true })).toEqual({});
});

it("does not test a draft without a query", () => {
  expect(isTestable(createDraft(" "), false)).toBe(false);
  expect(isTestable(createDraft("x"), false)).toBe(true);
  const sequence = { ...createDraft(), type: "sequence" as const };
  expect(isTestable({ ...sequence, details: { ...sequence.details, steps: ["a", ""] } }, false)).toBe(false);
  expect(isTestable({ ...sequence, details: { ...sequence.details, steps: ["a", "b"] } }, false)).toBe(true);
});

it("splits names at commas and spaces", () => {
  expect(splitNames("T1059.001, T1027  T1027,")).toEqual(["T1059.001", "T1027"]);
});
