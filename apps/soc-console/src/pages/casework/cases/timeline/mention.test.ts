import { describe, expect, it } from "vitest";
import { completeMention, findMention, suggestNames } from "./mention.ts";

describe("a mention", () => {
  it.each<[string, { start: number; typed: string } | undefined]>([
    ["@", { start: 0, typed: "" }],
    ["ask @lay", { start: 4, typed: "lay" }],
    ["(@yusuf.karim", { start: 1, typed: "yusuf.karim" }],
    ["mail layla@corp", undefined],
    ["ask @layla ", undefined],
    ["", undefined],
  ])("finds the mention at the end of '%s'", (text, found) => {
    expect(findMention(text, text.length)).toEqual(found);
  });

  it("inserts the name at the caret and keeps the text after it", () => {
    const text = "ask @la about it";
    const mention = findMention(text, 7);
    expect(mention && completeMention(text, mention, "layla")).toEqual({ text: "ask @layla about it", caret: 11 });
  });

  it("suggests names that start with the text before names that contain it", () => {
    expect(suggestNames(["yusuf.karim", "karim", "layla"], "Kar")).toEqual(["karim", "yusuf.karim"]);
  });
});
