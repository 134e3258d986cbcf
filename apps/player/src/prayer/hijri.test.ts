import { describe, expect, it } from "vitest";
import { toEpochDays, toIsoDate } from "../time/calendar-date.ts";
import { monthNamesOf, toHijri } from "./hijri.ts";

const CIVIL = new Intl.DateTimeFormat("en-u-ca-islamic-civil-nu-latn", {
  timeZone: "UTC",
  year: "numeric",
  month: "numeric",
  day: "numeric",
});

function toCivilHijri(days: number) {
  const parts = CIVIL.formatToParts(new Date(`${toIsoDate(days)}T12:00:00Z`));
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return { year: read("year"), month: read("month"), day: read("day") };
}

describe("the Hijri date", () => {
  // Calendrical Calculations, appendix "Sample Data".
  it.each([
    ["1945-11-12", { year: 1364, month: 12, day: 6 }],
    ["1992-03-17", { year: 1412, month: 9, day: 13 }],
    ["1996-02-25", { year: 1416, month: 10, day: 5 }],
    ["2038-11-10", { year: 1460, month: 10, day: 12 }],
    ["2094-07-18", { year: 1518, month: 3, day: 5 }],
  ])("converts %s as printed", (date, hijri) => {
    expect(toHijri(toEpochDays(date))).toEqual(hijri);
  });

  it("equals Unicode's civil calendar on every day of the century", () => {
    const first = toEpochDays("2000-01-01");
    const last = toEpochDays("2099-12-31");
    const differing = Array.from({ length: last - first + 1 }, (_, at) => first + at).filter((days) => {
      const { year, month, day } = toHijri(days);
      const civil = toCivilHijri(days);
      return year !== civil.year || month !== civil.month || day !== civil.day;
    });
    expect(differing.map(toIsoDate)).toEqual([]);
    expect(last - first).toBe(36_524);
  });

  it("the Hijri date has month names in English, and in Arabic as in Unicode", () => {
    const arabic = new Intl.DateTimeFormat("ar-u-ca-islamic-civil", { timeZone: "UTC", month: "long" });
    const inEachMonth = Array.from({ length: 12 }, (_, month) => toEpochDays("2025-07-10") + Math.round(month * 29.53));
    const names = inEachMonth.map((days) => monthNamesOf(toHijri(days)));
    expect(names.map(({ month_name_ar }) => month_name_ar)).toEqual(
      inEachMonth.map((days) => arabic.format(new Date(`${toIsoDate(days)}T00:00:00Z`))),
    );
    expect(names.map(({ month_name }) => month_name).join(", ")).toBe(
      "Muharram, Safar, Rabi al-Awwal, Rabi al-Akhir, Jumada al-Ula, Jumada al-Akhirah, " +
        "Rajab, Shaban, Ramadan, Shawwal, Dhu al-Qadah, Dhu al-Hijjah",
    );
  });
});
