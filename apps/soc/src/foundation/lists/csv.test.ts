import { expect, it } from "vitest";
import { formatCsvLine } from "./csv.ts";

it.each([
  ["two words", "two words"],
  ["one, two", '"one, two"'],
  ['say "no"', '"say ""no"""'],
  ["line\nbreak", '"line\nbreak"'],
  ["=1+1", "'=1+1"],
  ["+49", "'+49"],
  ["-x", "'-x"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ["\rx", `"'\rx"`],
  ["a=1", "a=1"],
])("formats %j as %j", (value, cell) => {
  expect(formatCsvLine([value])).toBe(`${cell}\r\n`);
});

it("formats times as ISO 8601, objects as JSON, and each value as one cell", () => {
  const line = formatCsvLine([new Date("2026-11-18T01:02:03Z"), 7, { a: ["=x", 1] }, ""]);
  expect(line).toBe('2026-11-18T01:02:03.000Z,7,"{""a"":[""=x"",1]}",\r\n');
});
