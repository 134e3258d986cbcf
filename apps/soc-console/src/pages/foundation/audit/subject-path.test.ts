import { expect, it } from "vitest";
import { subjectPath } from "./subject-path.ts";

const entry = (subject_type: string, subject_id: string, details = {}) =>
  subjectPath({ id: "1", at: "2026-11-18T00:00:00Z", actor: "a", action: "b", subject_type, subject_id, details });

it("links to the page of the subject, or to a tab of its case", () => {
  expect(entry("case", "c-1")).toBe("/cases/c-1");
  expect(entry("rule", "a/b?c")).toBe("/detections/a%2Fb%3Fc");
  expect(entry("evidence", "e-1", { case_id: "c-1" })).toBe("/cases/c-1/evidence");
});

it("returns no link for a subject without a page", () => {
  expect(entry("evidence", "e-1")).toBeUndefined();
  expect(entry("export", "/api/v1/audit/export")).toBeUndefined();
});
