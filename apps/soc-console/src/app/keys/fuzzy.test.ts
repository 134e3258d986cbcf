import { describe, expect, it } from "vitest";
import { fuzzyMatch } from "./fuzzy.ts";

function sort(wanted: string, ...texts: string[]): string[] {
  return texts
    .map((text) => ({ text, match: fuzzyMatch(wanted, text) }))
    .filter(({ match }) => match)
    .toSorted((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0))
    .map(({ text }) => text);
}

describe("the filter of the palette", () => {
  it("finds letters in order, in any case", () => {
    expect(fuzzyMatch("GTA", "Go to alerts")?.places).toEqual([0, 3, 6]);
    expect(fuzzyMatch("atg", "Go to alerts")).toBeUndefined();
  });

  it("prefers starts of words, then consecutive letters", () => {
    expect(sort("ta", "Metadata", "Take alert", "Contain host")).toEqual(["Take alert", "Metadata", "Contain host"]);
    expect(sort("rh", "Overhaul", "Release host")).toEqual(["Release host", "Overhaul"]);
    expect(sort("alert", "A late report", "Go to alerts")).toEqual(["Go to alerts", "A late report"]);
  });

  it("prefers the shorter of two equal matches", () => {
    expect(sort("run", "Run the playbook again", "Run")).toEqual(["Run", "Run the playbook again"]);
  });

  it("matches Arabic text", () => {
    expect(fuzzyMatch("تنب", "التنبيهات")?.places).toEqual([2, 3, 4]);
  });

  it("matches everything for an empty text", () => {
    expect(fuzzyMatch("  ", "anything")?.places).toEqual([]);
  });

  it("stays fast for a long text of one letter", () => {
    expect(fuzzyMatch("a".repeat(40), "a ".repeat(400))?.places).toHaveLength(40);
  });
});
