import { describe, expect, it } from "vitest";
import { excludeValue, includeValue, quoteValue, removeTerm, splitFilter, toParameters } from "./alert-filter.ts";
import { checkFilter } from "./alert-filter-check.ts";

const NEEDS_ME = "status:(new OR triaged OR investigating) assignee:(me OR none) severity:>=low";

describe("the parts of a filter", () => {
  it("splits a filter into the terms that must all hold, as they are written", () => {
    expect(splitFilter(NEEDS_ME).map(({ field, value }) => [field, value])).toEqual([
      ["status", "(new OR triaged OR investigating)"],
      ["assignee", "(me OR none)"],
      ["severity", ">=low"],
    ]);
    expect(splitFilter("NOT host:kiosk-7 AND scan").map(({ text }) => text)).toEqual(["NOT host:kiosk-7", "scan"]);
  });
  it("keeps alternatives in one term", () => {
    expect(splitFilter("host:a OR user:b").map(({ text }) => text)).toEqual(["host:a OR user:b"]);
  });
  it("returns no terms while the text is incomplete", () => {
    expect(splitFilter('title:"not closed')).toEqual([]);
  });
});

describe("the parameters of a filter", () => {
  it("uses the parameters of the list where they exist", () => {
    expect(toParameters(NEEDS_ME, "layla")).toEqual({
      status: ["new", "triaged", "investigating"],
      assignee: ["me", "none"],
      severity: ["critical", "high", "medium", "low"],
    });
    expect(toParameters("technique:T1059 tag:vip case_id:none powershell cradle", "layla")).toEqual({
      technique: ["T1059"],
      tag: ["vip"],
      has_case: false,
      q: "powershell cradle",
    });
  });
  it("passes the rest to the query language with its field names", () => {
    expect(toParameters("NOT technique:T1059 host:fin-*", "layla")).toEqual({
      query: "(NOT mitre_techniques:T1059) (host:fin-*)",
    });
    expect(toParameters("NOT assignee:me", "l.amin@example.org")).toEqual({
      query: "NOT assignee:l.amin@example.org",
    });
    expect(toParameters("NOT assignee:none", "layla")).toEqual({ query: "assignee:*" });
    expect(toParameters("risk_score:>=70", "layla")).toEqual({ query: "risk_score:>=70" });
  });
  it("keeps a second condition on the same field", () => {
    expect(toParameters("tag:a tag:b", "layla")).toEqual({ tag: ["a"], query: "tags:b" });
  });
  it("keeps a quoted value literal", () => {
    expect(toParameters('host:"FIN WS\\"1"', "layla")).toEqual({ host: ['FIN WS"1'] });
  });
});

describe("a value", () => {
  it("quotes a value that the language would read otherwise", () => {
    expect(quoteValue("fin-ws-014")).toBe("fin-ws-014");
    expect(quoteValue("NOT")).toBe('"NOT"');
    expect(quoteValue('a "b" c:\\d*')).toBe('"a \\"b\\" c:\\\\d*"');
    expect(toParameters(`host:${quoteValue('a "b" c:\\d*')}`, "x")).toEqual({ host: ['a "b" c:\\d*'] });
  });
  it("replaces earlier terms of a field when it includes a value, and adds a term when it excludes one", () => {
    expect(includeValue("host:a severity:high", "host", "b")).toBe("host:b severity:high");
    expect(includeValue("NOT host:b", "host", "b")).toBe("host:b");
    expect(excludeValue("severity:high host:b", "host", "b")).toBe("severity:high NOT host:b");
  });
  it("removes the term of a chip", () => {
    expect(removeTerm(NEEDS_ME, 1)).toBe("status:(new OR triaged OR investigating) severity:>=low");
    expect(removeTerm("host:a OR host:b", 0)).toBe("");
  });
});

describe("a wrong filter", () => {
  it("reports a filter error with its position", () => {
    expect(checkFilter("hosst:a")).toMatchObject([{ from: 0, message: expect.stringContaining("'host'") }]);
    expect(checkFilter("severity:>=low status:nwe")).toMatchObject([{ from: 15, to: 25 }]);
    expect(checkFilter(NEEDS_ME)).toEqual([]);
  });
});
