import { describe, expect, it } from "vitest";
import { matchesSla, nextSort, parseFilter, toQuery } from "./cases-filter.ts";

describe("the filter of the cases", () => {
  it("shows what still needs work, the last changed first, when the address says nothing", () => {
    expect(toQuery(parseFilter({}))).toEqual({
      status: ["open", "investigating", "pending_approval", "contained"],
      sort: "-updated_at",
    });
  });

  it("is what the address says, without values that do not exist", () => {
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

  it("compares the SLA row by row", () => {
    const sla = { respond_by: null, resolve_by: null, responded_at: null, resolved_at: null };
    const filter = parseFilter({ sla: "breached" });
    expect(matchesSla(filter, { sla: { ...sla, state: "breached" } })).toBe(true);
    expect(matchesSla(filter, { sla: { ...sla, state: "ok" } })).toBe(false);
    expect(matchesSla(filter, {})).toBe(false);
    expect(matchesSla(parseFilter({ sla: "x" }), {})).toBe(true);
  });

  it("sorts by the next column with each press, and returns to the first", () => {
    expect([nextSort("-updated_at"), nextSort("-created_at"), nextSort("-severity")]).toEqual([
      "-created_at",
      "-severity",
      "-updated_at",
    ]);
  });
});
