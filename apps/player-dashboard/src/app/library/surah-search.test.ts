import { describe, expect, it } from "vitest";
import { findSurahs } from "./surah-search.ts";

describe("search for a surah", () => {
  it("shows all 114 surahs until the user types", () => {
    expect(findSurahs("  ")).toHaveLength(114);
  });

  it.each([
    ["الكهف", 18],
    ["كهف", 18],
    ["ٱلْكَهْفِ", 18],
    ["سورة الكهف", 18],
    ["الاخلاص", 112],
    ["اخلاص", 112],
    ["ابراهيم", 14],
    ["ال عمران", 3],
    ["المؤمنون", 23],
    ["المومنون", 23],
    ["البقره", 2],
    ["الشوري", 42],
    ["الأعلي", 87],
    ["النسا", 4],
    ["الرحـمن", 55],
    ["Al-Kahf", 18],
    ["al kahf", 18],
    ["alkahf", 18],
    ["KAHF", 18],
    ["surah kahf", 18],
    ["An-Nisa", 4],
    ["al-nisa", 4],
    ["alnisa", 4],
    ["annisa", 4],
    ["al imran", 3],
    ["ali ‘imran", 3],
    ["ankabut", 29],
    ["al-‘Ankabūt", 29],
    ["yaseen", 36],
    ["ya sin", 36],
    ["baqara", 2],
    ["Muzammil", 73],
    ["waqiah", 56],
    ["al-lahab", 111],
    ["الدهر", 76],
  ])("finds %s", (typed, surah) => {
    expect(findSurahs(typed)).toContain(surah);
  });

  it.each([
    ["الكهف", [18]],
    ["kahf", [18]],
    ["67", [67]],
    ["٦٧", [67]],
    ["067", [67]],
    ["۱۱۲", [112]],
    ["11", [11, 110, 111, 112, 113, 114]],
    ["115", []],
    ["sonata", []],
  ])("finds only the matching surahs for %s", (typed, surahs) => {
    expect(findSurahs(typed)).toEqual(surahs);
  });
});
