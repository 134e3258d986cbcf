import { expect, it } from "vitest";
import { listMentions } from "./mentions.ts";

it.each([
  ["@sara look at this", ["sara"]],
  ["(@noor.a), @sara, and again @sara.", ["noor.a", "sara"]],
  ["mail noor@example.com", []],
  ["@noor@example.com has it", ["noor@example.com"]],
  ["@ليلى شوفي", ["ليلى"]],
  ["@@sara @ sara", []],
  ["nothing", []],
])("reads the mentions of %j", (text, expected) => {
  expect(listMentions(text)).toEqual(expected);
});

it("reads at most 50 mentions", () => {
  expect(listMentions(Array.from({ length: 60 }, (_, number) => `@user${number}`).join(" "))).toHaveLength(50);
});
