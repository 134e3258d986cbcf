import { describe, expect, it } from "vitest";
import type { Case } from "./cases-client.ts";
import { findConflicts } from "./conflict.ts";

const BEFORE: Case = {
  id: "0197f000-0000-7000-8000-000000000001",
  title: "Credential theft",
  description: "",
  severity: "high",
  status: "open",
  assignee: null,
  requires_human_approval: false,
  due_at: null,
  mitre_techniques: [],
  tags: ["finance"],
  template_id: null,
  merged_into: null,
  closed_at: null,
  created_at: "2026-11-17T19:00:00.000Z",
  updated_at: "2026-11-17T19:40:00.000Z",
};
const entry = (at: string, actor: string, field: string) => ({
  id: at,
  at,
  actor,
  action: "case.updated",
  subject_type: "case",
  subject_id: BEFORE.id,
  details: { changes: [{ field, from: "a", to: "b" }] },
});

describe("a case that others changed", () => {
  it("shows who changed a case, what they changed and what this user wanted", () => {
    const theirs: Case = {
      ...BEFORE,
      severity: "critical",
      tags: ["finance", "vip"],
      updated_at: "2026-11-17T19:44:00.000Z",
    };
    const history = [
      entry("2026-11-17T19:44:00.000Z", "layla", "severity"),
      entry("2026-11-17T19:42:00.000Z", "yusuf", "tags"),
      entry("2026-11-17T19:30:00.000Z", "amina", "severity"),
    ];
    expect(findConflicts(BEFORE, theirs, { severity: "low" }, history)).toEqual([
      {
        field: "severity",
        before: "high",
        theirs: "critical",
        mine: "low",
        by: "layla",
        at: "2026-11-17T19:44:00.000Z",
      },
      {
        field: "tags",
        before: "finance",
        theirs: "finance, vip",
        mine: undefined,
        by: "yusuf",
        at: "2026-11-17T19:42:00.000Z",
      },
    ]);
  });

  it("names no user if the history cannot be read", () => {
    expect(findConflicts(BEFORE, { ...BEFORE, assignee: "layla" }, {}, null)).toEqual([
      { field: "assignee", before: "", theirs: "layla", mine: undefined, by: undefined, at: undefined },
    ]);
  });
});
