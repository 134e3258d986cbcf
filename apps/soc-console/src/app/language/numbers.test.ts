import { describe, expect, it } from "vitest";
import { counted, numberWords, percent } from "./numbers.ts";

const ALERTS_EN = { one: "# alert", other: "# alerts" };
const ALERTS_AR = { zero: "لا تنبيهات", one: "تنبيه واحد", two: "تنبيهان", few: "# تنبيهات", other: "# تنبيه" };

describe("numbers", () => {
  it("groups thousands with Latin digits in both languages", () => {
    expect(numberWords(1284, "en")).toBe("1,284");
    expect(numberWords(1284, "ar")).toBe("1,284");
  });

  it.each([
    [1, "1 alert", "تنبيه واحد"],
    [2, "2 alerts", "تنبيهان"],
    [7, "7 alerts", "7 تنبيهات"],
    [11, "11 alerts", "11 تنبيه"],
    [1284, "1,284 alerts", "1,284 تنبيه"],
  ])("formats the count %i with the plural form of the language", (count, english, arabic) => {
    expect(counted(count, ALERTS_EN, "en")).toBe(english);
    expect(counted(count, ALERTS_AR, "ar")).toBe(arabic);
  });

  it.each([
    [0, "0%"],
    [1, "100%"],
    [0.992, "99.2%"],
    [0.5, "50%"],
    [0.99999, "99.9%"],
    [0.00001, "0.1%"],
  ])("formats the share %d as %s", (share, words) => {
    expect(percent(share, "en")).toBe(words);
  });
});
