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
  ])("at the end of '%s' is found", (text, found) => {
    expect(findMention(text, text.length)).toEqual(found);
  });

  it("is written out at the caret, and the text after it stays", () => {
    const text = "ask @la about it";
    const mention = findMention(text, 7);
    expect(mention && completeMention(text, mention, "layla")).toEqual({ text: "ask @layla about it", caret: 11 });
  });

  it("suggests names that begin with what is typed before those that contain it", () => {
    expect(suggestNames(["yusuf.karim", "karim", "layla"], "Kar")).toEqual(["karim", "yusuf.karim"]);
  });
});
