import { describe, expect, it } from "vitest";
import { chooseLanguage, readingDirection } from "./language.ts";

describe("language", () => {
  it.each([
    [["ar"], "ar"],
    [["ar-EG", "en"], "ar"],
    [["AR-sa"], "ar"],
    [["en-GB", "ar"], "en"],
    [["fr-FR", "ar", "en"], "ar"],
    [["arn"], "en"],
    [["fr"], "en"],
    [[], "en"],
  ] as const)("of a browser that asks for %j is %s", (wantedTags, language) => {
    expect(chooseLanguage(wantedTags)).toBe(language);
  });

  it("reads from right to left in Arabic only", () => {
    expect(readingDirection("ar")).toBe("rtl");
    expect(readingDirection("en")).toBe("ltr");
  });
});
