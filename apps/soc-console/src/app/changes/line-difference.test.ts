import { expect, test } from "vitest";
import { compareLines, foldSame } from "./line-difference.ts";

const shown = (before: string, after: string) =>
  compareLines(before, after).map(({ kind, text }) => `${{ same: " ", added: "+", removed: "-" }[kind]}${text}`);

test("keeps what both have and marks the rest", () => {
  expect(shown("a\nb\nc", "a\nx\nc\nd")).toEqual([" a", "-b", "+x", " c", "+d"]);
});

test("marks nothing in equal texts, and everything when one was empty", () => {
  expect(shown("a\nb", "a\nb")).toEqual([" a", " b"]);
  expect(shown("", "a")).toEqual(["-", "+a"]);
});

test("finds the lines that stay when others move in before them", () => {
  expect(shown("one\ntwo", "zero\none\ntwo")).toEqual(["+zero", " one", " two"]);
});

test("leaves out what is far from a change, and says how much", () => {
  const before = Array.from({ length: 20 }, (_, line) => `line ${line}`);
  const after = before.with(10, "changed");
  const folded = foldSame(compareLines(before.join("\n"), after.join("\n")));
  expect(folded.at(0)).toEqual({ kind: "gap", count: 7 });
  expect(folded.at(-1)).toEqual({ kind: "gap", count: 6 });
  expect(folded).toHaveLength(10);
});
