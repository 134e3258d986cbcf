import { expect, it } from "vitest";
import { fitText } from "./text-lines.ts";

/** Every letter is half as wide as it is high. */
const measure = (text: string, size: number) => (text.length * size) / 2;
const box = { width: 100, maxLines: 2, sizes: [40, 20, 10] } as const;

it.each([
  ["Qaf", { size: 40, lines: ["Qaf"] }],
  ["Ya Sin Qaf", { size: 40, lines: ["Ya", "Sin", "Qaf"] }, 3],
  ["Ya Sin Qaf", { size: 20, lines: ["Ya Sin Qaf"] }],
  ["  many\n words\there ", { size: 20, lines: ["many words", "here"] }],
  ["one two three four five six seven eight", { size: 10, lines: ["one two three four", "five six seven eight"] }],
  ["", { size: 40, lines: [""] }],
])("fits %j at the largest possible size", (text, fitted, maxLines = 2) => {
  expect(fitText(text, { ...box, maxLines }, measure)).toEqual(fitted);
});

it.each([
  ["a".repeat(30), 1, ["aaaaaaaaaaaaaaaaaaa…"]],
  ["one two three four five six seven eight nine ten", 2, ["one two three four", "five six seven eigh…"]],
  ["a".repeat(100_000), 2, ["aaaaaaaaaaaaaaaaaaa…"]],
])("truncates text that does not fit at the smallest size", (text, maxLines, lines) => {
  expect(fitText(text, { ...box, maxLines }, measure)).toEqual({ size: 10, lines });
});

it("never splits a letter from its mark", () => {
  const { lines } = fitText("رَ".repeat(30), { ...box, maxLines: 1 }, measure);
  expect(lines).toEqual([`${"رَ".repeat(9)}…`]);
});
