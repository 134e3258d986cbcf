import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatUnifiedDiff } from "./line-diff.ts";

const TEN = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

describe("formatUnifiedDiff", () => {
  // The expected texts were written by GNU diff 3.8 with -u, without its two lines of file names.
  it.each([
    ["", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"],
    ["a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"],
    ["a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"],
    ["a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"],
    [TEN, TEN.replace("5", "five"), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"],
    [TEN, `0\n${TEN.replace("10\n", "")}`, "@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -7,4 +8,3 @@\n 7\n 8\n 9\n-10\n"],
  ])("formats the difference of %j and %j as diff does", (from, to, expected) => {
    expect(formatUnifiedDiff(from, to)).toBe(expected);
  });

  it("returns nothing for equal texts, and otherwise turns one text into the other", () => {
    const text = fc
      .array(fc.constantFrom("a\n", "b\n", "c\n", "d\n"), { maxLength: 30 })
      .map((lines) => lines.join(""));
    fc.assert(
      fc.property(text, text, (from, to) => {
        const diff = formatUnifiedDiff(from, to);
        expect(diff === "").toBe(from === to);
        expect(applyDiff(from, diff)).toBe(to);
      }),
      { seed: 7 },
    );
  });

  it("replaces the whole middle if the comparison would cost too much", () => {
    const lines = (name: string) => Array.from({ length: 2100 }, (_, at) => `${name}${at}\n`).join("");
    const diff = formatUnifiedDiff(`head\n${lines("a")}`, `head\n${lines("b")}`);
    expect(diff.startsWith("@@ -1,2101 +1,2101 @@\n head\n-a0\n")).toBe(true);
  });
});

function applyDiff(from: string, diff: string): string {
  const lines = from.match(/[^\n]*\n/g) ?? [];
  const hunks = diff.split(/^(?=@@)/m).filter((hunk) => hunk !== "");
  let done = 0;
  let made = "";
  for (const hunk of hunks) {
    const [, start = "", length = "1"] = /^@@ -(\d+)(?:,(\d+))? /.exec(hunk) ?? [];
    const first = Number(length) === 0 ? Number(start) : Number(start) - 1;
    made += lines.slice(done, first).join("");
    const body = hunk.match(/^[ +-].*\n/gm) ?? [];
    made += body
      .filter((line) => !line.startsWith("-"))
      .map((line) => line.slice(1))
      .join("");
    done = first + Number(length);
  }
  return made + lines.slice(done).join("");
}
