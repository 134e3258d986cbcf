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
  ] as const)("chooses the language for a browser that prefers %j: %s", (wantedTags, language) => {
    expect(chooseLanguage(wantedTags)).toBe(language);
  });

  it("sets right-to-left direction only for Arabic", () => {
    expect(readingDirection("ar")).toBe("rtl");
    expect(readingDirection("en")).toBe("ltr");
  });
});
