import { describe, expect, it } from "vitest";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { buildLogSelection, cursorAt, placeAt } from "./log-selection.ts";

const NOW = new Date("2026-11-15T12:00:00.000Z");
const selectWindow = (asked: { from?: string; to?: string }) => {
  const { from, to } = buildLogSelection(ALL_SITES, asked, NOW);
  return [from.toISOString(), to.toISOString()];
};

describe("the time window", () => {
  it.each([
    [{}, ["2026-11-14T12:00:00.000Z", "2026-11-15T12:00:00.000Z"]],
    [{ from: "2026-11-01T00:00:00Z" }, ["2026-11-01T00:00:00.000Z", "2026-11-15T12:00:00.000Z"]],
    [{ to: "2026-11-01T00:00:00+02:00" }, ["2026-10-30T22:00:00.000Z", "2026-10-31T22:00:00.000Z"]],
    [{ from: "now-1h" }, ["2026-11-15T11:00:00.000Z", "2026-11-15T12:00:00.000Z"]],
    [{ from: "now-2d", to: "now-1d" }, ["2026-11-13T12:00:00.000Z", "2026-11-14T12:00:00.000Z"]],
    [{ from: "2026-11-01", to: "2026-11-02" }, ["2026-11-01T00:00:00.000Z", "2026-11-03T00:00:00.000Z"]],
    [
      { from: "2026-11-01T00:00:00", to: "2026-11-01T08:30:00" },
      ["2026-11-01T00:00:00.000Z", "2026-11-01T08:30:00.000Z"],
    ],
    [
      { from: "0001-01-01T00:00:00Z", to: "9999-12-31T00:00:00Z" },
      ["1900-01-01T00:00:00.000Z", "2299-12-31T23:59:59.999Z"],
    ],
  ])("reads %j as the time window %j", (asked, expected) => {
    expect(selectWindow(asked)).toEqual(expected);
  });

  it.each([
    [{ from: "2026-11-15T12:00:00Z" }, "from: must be earlier than to"],
    [
      { to: "2016-12-31T23:59:60Z" },
      "to: must be an instant, a day such as 2026-05-31, or a time such as now-1h, not '2016-12-31T23:59:60Z'",
    ],
    [{ from: "now-1x" }, "from: must be an instant, a day such as 2026-05-31, or a time such as now-1h, not 'now-1x'"],
  ])("refuses the time window %j", (asked, message) => {
    expect(() => selectWindow(asked)).toThrow(message);
  });
});

describe("the condition of a search", () => {
  it("combines the query and each filter, case-insensitively", () => {
    const { condition } = buildLogSelection(
      ALL_SITES,
      { query: "user:root", source: "sshd", host: "SRV-7", severity: "high" },
      NOW,
    );
    const text = (name: string, value: string, isCased: boolean) => ({
      kind: "text",
      field: { name },
      pattern: [{ text: value }],
      isCased,
    });
    expect(condition).toEqual({
      kind: "and",
      of: [
        text("user", "root", false),
        text("source", "sshd", false),
        text("host", "SRV-7", false),
        text("severity", "high", true),
      ],
    });
  });

  it("treats a star in a filter as a literal character", () => {
    const { condition } = buildLogSelection(ALL_SITES, { source: "a*" }, NOW);
    expect(JSON.stringify(condition)).toContain('[{"text":"a*"}]');
    expect(buildLogSelection(ALL_SITES, { source: null, query: null }, NOW).condition).toEqual({ kind: "all" });
  });
});

describe("a cursor", () => {
  it("contains the position and the time of the first page", () => {
    const cursor = cursorAt({ timestamp: "2026-11-15T11:00:00.123Z", id: "a'\u{1f512}" }, NOW);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(placeAt(cursor)).toEqual({ timestamp: "2026-11-15T11:00:00.123Z", id: "a'\u{1f512}", now: NOW });
  });

  it.each([
    ["x"],
    ["e30"],
    [Buffer.from('["-created_at","2026-11-15T11:00:00.000Z","a","2026-11-15T11:00:00.000Z"]').toString("base64url")],
    [Buffer.from('["-timestamp","2026-13-15T11:00:00.000Z","a","2026-11-15T11:00:00.000Z"]').toString("base64url")],
    [Buffer.from('["-timestamp","2026-11-15T11:00:00.000Z",null,"2026-11-15T11:00:00.000Z"]').toString("base64url")],
    [Buffer.from('["-timestamp","2026-11-15T11:00:00.000Z","a"]').toString("base64url")],
  ])("refuses a forged cursor: %s", (cursor) => {
    expect(() => placeAt(cursor)).toThrow("cursor: must come from this list with the same order");
  });
});
