import { describe, expect, it } from "vitest";
import { clockWords, dateName, dateWords, tickingWords } from "./clock-words.ts";

const riyadh = { timezone: "<+03>-3", time_format_24h: false };
const evening = Date.parse("2026-11-15T14:42:07Z") / 1000;
const lateEvening = Date.parse("2026-11-15T21:30:00Z") / 1000;

describe("the device's clock", () => {
  it("the device's clock is written in the owner's format", () => {
    expect(clockWords(riyadh, evening, "en")).toBe("5:42 PM");
    expect(clockWords({ ...riyadh, time_format_24h: true }, evening, "ar")).toBe("١٧:٤٢");
  });

  it("includes the seconds", () => {
    expect(tickingWords(riyadh, evening, "en")).toBe("5:42:07 PM");
    expect(tickingWords({ ...riyadh, time_format_24h: true }, evening, "en")).toBe("17:42:07");
    expect(tickingWords(riyadh, evening, "ar")).toBe("٥:٤٢:٠٧ م");
  });

  it("the device's clock has the date of the device's own zone", () => {
    // The comma comes and goes with the edition of the locale data.
    expect(dateWords(riyadh, lateEvening, "en")).toMatch(/^Monday,? 16 November 2026$/);
    expect(dateWords(riyadh, lateEvening, "ar")).toContain("١٦ نوفمبر ٢٠٢٦");
    expect(dateName(riyadh, lateEvening)).toBe("2026-11-16");
  });
});
