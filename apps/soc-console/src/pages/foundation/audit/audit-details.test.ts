import { describe, expect, it } from "vitest";
import { readDetails, summarize } from "./audit-details.ts";

describe("the difference in an entry of the audit log", () => {
  it("reads a list of changes, as of a changed case", () => {
    const details = { changes: [{ field: "tags", from: '["intrusion"]', to: '["finance"]' }] };
    expect(readDetails(details)).toEqual({
      changes: [{ name: "tags", before: '["intrusion"]', after: '["finance"]' }],
      facts: [],
    });
  });

  it("pairs a field with its previous value, as of a linked alert", () => {
    const { changes, facts } = readDetails({
      status: "investigating",
      previous_status: "new",
      assignee: null,
      previous_assignee: null,
      severity: "medium",
    });
    expect(changes).toEqual([{ name: "status", before: "new", after: "investigating" }]);
    expect(facts).toEqual([{ name: "severity", value: "medium" }]);
  });

  it("keeps unpaired values and values that are not a list of changes", () => {
    expect(readDetails({ previous_body: "old", author: "layla" }).facts).toEqual([
      { name: "previous_body", value: "old" },
      { name: "author", value: "layla" },
    ]);
    expect(readDetails({ changes: 3 })).toEqual({ changes: [], facts: [{ name: "changes", value: "3" }] });
    expect(readDetails({ changes: [null, { field: "x" }] }).changes).toEqual([]);
    expect(readDetails({ changes: { enabled: { from: true, to: false } } }).changes).toEqual([
      { name: "enabled", before: "true", after: "false" },
    ]);
  });

  it("formats the difference in one line", () => {
    const read = readDetails({ status: "closed", previous_status: "open", case_id: "c-1" });
    expect(summarize(read)).toBe("status: open → closed · case_id: c-1");
  });
});
