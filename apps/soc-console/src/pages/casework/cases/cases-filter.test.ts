import { describe, expect, it } from "vitest";
import { matchesSla, nextSort, parseFilter, toQuery } from "./cases-filter.ts";

describe("the filter of the cases", () => {
  it("defaults to open cases, last changed first", () => {
    expect(toQuery(parseFilter({}))).toEqual({
      status: ["open", "investigating", "pending_approval", "contained"],
      sort: "-updated_at",
    });
  });

  it("reads the filter from the address and ignores invalid values", () => {
    const search = { q: "lsass", status: "closed,nonsense", severity: "high,critical", assignee: "layla", tag: "vip" };
    expect(toQuery(parseFilter({ ...search, sort: "title" }))).toEqual({
      q: "lsass",
      status: ["closed"],
      severity: ["high", "critical"],
      assignee: "layla",
      tag: "vip",
      sort: "-updated_at",
    });
    expect(toQuery(parseFilter({ status: "any" })).status).toBeUndefined();
  });

  it("compares the SLA per row", () => {
    const sla = { respond_by: null, resolve_by: null, responded_at: null, resolved_at: null };
    const filter = parseFilter({ sla: "breached" });
    expect(matchesSla(filter, { sla: { ...sla, state: "breached" } })).toBe(true);
    expect(matchesSla(filter, { sla: { ...sla, state: "ok" } })).toBe(false);
    expect(matchesSla(filter, {})).toBe(false);
    expect(matchesSla(parseFilter({ sla: "x" }), {})).toBe(true);
  });

  it("cycles through the sort columns", () => {
    expect([nextSort("-updated_at"), nextSort("-created_at"), nextSort("-severity")]).toEqual([
      "-created_at",
      "-severity",
      "-updated_at",
    ]);
  });
});
