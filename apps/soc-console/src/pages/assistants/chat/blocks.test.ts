import { expect, it } from "vitest";
import { prepareAnswer, splitBlocks } from "./blocks.ts";

const texts = (text: string, isComplete = false) =>
  splitBlocks(text, isComplete).map((block) => [block.text, block.isFinished]);

it("finishes a block when the next one begins", () => {
  expect(texts("Looking.\n- a\n- b\nThe end")).toEqual([
    ["Looking.", true],
    ["- a\n- b", true],
    ["The end", false],
  ]);
  expect(texts("Looking.\n", true)).toEqual([["Looking.", true]]);
});

it("keeps a code block in one piece", () => {
  expect(texts("```\n- a\n\n- b\n```\nend")).toEqual([
    ["```\n- a\n\n- b\n```", true],
    ["end", false],
  ]);
});

it("keeps every character of the text", () => {
  const answer = "a\n\n- b\n  more\n\n1. c\n```\nd\n```\ne";
  expect(
    splitBlocks(answer, true)
      .map(({ text }) => text)
      .join("\n")
      .replaceAll(/\s/g, ""),
  ).toBe(answer.replaceAll(/\s/g, ""));
});

const toPath = (number: number) => (number === 1 ? "/alerts/x" : undefined);

it("links only marks that the answer cites", () => {
  expect(prepareAnswer("seen [1], [2]", toPath)).toBe(String.raw`seen [\[1\]](/alerts/x), [2]`);
  expect(prepareAnswer("[click](/approvals/1)", toPath)).toBe(String.raw`[click]\(/approvals/1)`);
  expect(prepareAnswer("[x]: /approvals/1", toPath)).toBe(String.raw`[x]\: /approvals/1`);
});

it("leaves quoted record text unchanged", () => {
  expect(prepareAnswer("“*a* [1] C:\\_x” [1]", toPath)).toBe(String.raw`“\*a\* \[1\] C:\\\_x” [\[1\]](/alerts/x)`);
});
