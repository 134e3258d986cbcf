import { expect, it } from "vitest";
import { SURAH_NAMES, SURAH_NAMES_AR } from "./surah-names.ts";

it.each([
  [1, "Al-Fatihah", "الفاتحة"],
  [2, "Al-Baqarah", "البقرة"],
  [14, "Ibrahim", "إبراهيم"],
  [18, "Al-Kahf", "الكهف"],
  [36, "Ya-Sin", "يس"],
  [50, "Qaf", "ق"],
  [55, "Ar-Rahman", "الرحمن"],
  [67, "Al-Mulk", "الملك"],
  [78, "An-Naba", "النبأ"],
  [97, "Al-Qadr", "القدر"],
  [112, "Al-Ikhlas", "الإخلاص"],
  [114, "An-Nas", "الناس"],
])("names surah %i %s and %s", (surah, latin, arabic) => {
  expect(SURAH_NAMES[surah - 1]).toBe(latin);
  expect(SURAH_NAMES_AR[surah - 1]).toBe(arabic);
});

it("has 114 names in each script, all different, plain and composed", () => {
  for (const names of [SURAH_NAMES, SURAH_NAMES_AR]) {
    expect(names).toHaveLength(114);
    expect(new Set(names).size).toBe(114);
  }
  expect(SURAH_NAMES.filter((name) => !/^[A-Za-z' -]+$/.test(name))).toEqual([]);
  expect(SURAH_NAMES_AR.filter((name) => !/^[\u0621-\u064A ]+$/.test(name) || name !== name.normalize("NFC"))).toEqual(
    [],
  );
});
