import { describe, expect, it } from "vitest";
import { dateWords, daysBetween, hijriSpan, shiftMonth, tableTime } from "./month.ts";

describe("the month", () => {
  it.each([
    ["2026-11", 1, "2026-12"],
    ["2026-12", 1, "2027-01"],
    ["2026-01", -1, "2025-12"],
    ["2000-01", -1, undefined],
    ["2099-12", 1, undefined],
  ])("shifts %s by %i months to %s", (month, distance, other) => {
    expect(shiftMonth(month, distance)).toBe(other);
  });

  it("names the month in both languages", () => {
    expect(dateWords("2026-11-01", { month: "long", year: "numeric" }, "en")).toBe("November 2026");
    expect(dateWords("2026-11-01", { month: "long", year: "numeric" }, "ar")).toBe("نوفمبر ٢٠٢٦");
    expect(dateWords("2026-11-15", { weekday: "short" }, "en")).toBe("Sun");
  });

  it("counts days across months", () => {
    expect(daysBetween("2026-10-31", "2026-11-01")).toBe(1);
    expect(daysBetween("2026-11-15", "2026-11-15")).toBe(0);
  });

  it("omits AM and PM in the table", () => {
    expect(tableTime("17:05", false)).toBe("5:05");
    expect(tableTime("00:05", false)).toBe("12:05");
    expect(tableTime("05:05", true)).toBe("05:05");
  });

  it("finds the Hijri months that it overlaps", () => {
    const day = (month: number) => ({
      date: "",
      times: { fajr: "", sunrise: "", dhuhr: "", asr: "", maghrib: "", isha: "" },
      epochs: [],
      hijri: { year: 1448, month, day: 1 },
    });
    expect(hijriSpan([day(5), day(6)])).toEqual({ from: { month: 5, year: 1448 }, to: { month: 6, year: 1448 } });
    expect(hijriSpan([])).toBeUndefined();
  });
});
