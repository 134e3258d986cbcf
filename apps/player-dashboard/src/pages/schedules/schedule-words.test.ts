import { describe, expect, it } from "vitest";
import { daysWords, mannerWords, repetitionWords, resultWords, startWords, whyNoNext } from "./schedule-words.ts";

const clock = (hour: number, minute: number) => ({ hour, minute, anchor: null });
const prayer = (at: number, offset_min: number) => ({ hour: null, minute: null, anchor: { prayer: at, offset_min } });

describe("when a schedule starts", () => {
  it.each([
    [clock(4, 5), true, "04:05", "٠٤:٠٥"],
    [clock(16, 52), false, "4:52 PM", "٤:٥٢ م"],
    [prayer(0, -20), true, "20 minutes before Fajr", "قبل الفجر بـ٢٠ دقيقة"],
    [prayer(0, -1), true, "1 minute before Fajr", "قبل الفجر بدقيقة"],
    [prayer(4, -2), true, "2 minutes before Maghrib", "قبل المغرب بدقيقتين"],
    [prayer(5, 10), true, "10 minutes after Isha", "بعد العشاء بـ١٠ دقائق"],
    [prayer(2, 0), true, "At Dhuhr", "عند الظهر"],
  ])("describes when %j starts, in both languages", (schedule, is24h, english, arabic) => {
    expect(startWords(schedule, is24h, "en")).toBe(english);
    expect(startWords(schedule, is24h, "ar")).toBe(arabic);
  });
});

describe("the days of a schedule", () => {
  // Bit 0 is Sunday, bit 6 Saturday.
  it.each([
    [0b1111111, "Every day", "كل يوم"],
    [0b0100000, "Friday", "الجمعة"],
    [0b0010010, "Monday and Thursday", "الاثنين والخميس"],
    [0b0011111, "Sunday to Thursday", "من الأحد إلى الخميس"],
    [0b1000011, "Saturday to Monday", "من السبت إلى الاثنين"],
    [0b1100000, "Friday and Saturday", "الجمعة والسبت"],
    [0b0101010, "Monday, Wednesday and Friday", "الاثنين والأربعاء والجمعة"],
    [0b1011111, "Saturday to Thursday", "من السبت إلى الخميس"],
  ])("describes the mask %i as %s", (days, english, arabic) => {
    expect(daysWords(days, "en")).toBe(english);
    expect(daysWords(days, "ar")).toBe(arabic);
  });

  it("marks a schedule that runs only once", () => {
    expect(repetitionWords({ days: 0b0100000, once: true }, "en")).toBe("Once: Friday");
    expect(repetitionWords({ days: 0b0100000, once: false }, "en")).toBe("Friday");
  });
});

describe("how it is played", () => {
  it("describes only options that are set", () => {
    expect(mannerWords({ volume: null, fade_in_s: 0, duration_min: 0 }, "en")).toBe("");
    expect(mannerWords({ volume: 0, fade_in_s: 60, duration_min: 30 }, "en")).toBe(
      "Volume 0, fades in over 60 seconds, stops after 30 minutes",
    );
    expect(mannerWords({ volume: null, fade_in_s: 0, duration_min: 1 }, "en")).toBe("Stops after 1 minute");
  });
});

describe("how the last time went", () => {
  it.each([
    ["", null, ""],
    ["ok", 100, "Last started yesterday"],
    ["running", 100, "Starting now"],
    ["missed", null, "The last run was missed: the player was off or its clock was wrong."],
    [
      "target: surah 3 of 'Husary' is not on the card",
      100,
      "Could not start yesterday: the surah is not on the memory card",
    ],
    ["target.id: station '3' does not exist", 100, "Could not start yesterday: what it plays is no longer saved"],
    ["the audio engine is gone", 100, "Could not start yesterday: the audio engine is gone"],
  ])("describes the last result '%s'", (last_result, last_run, words) => {
    expect(resultWords({ last_result, last_run }, () => "yesterday", "en")).toBe(words);
  });
});

describe("without a next time", () => {
  const known = { hasClock: true, hasPlace: true };
  const anchor = { prayer: 0, offset_min: 0 };

  it.each([
    [{ enabled: false, anchor }, { hasClock: false, hasPlace: false }, "off"],
    [{ enabled: true, anchor }, { hasClock: false, hasPlace: false }, "waitsForClock"],
    [{ enabled: true, anchor }, { hasClock: true, hasPlace: false }, "noPlace"],
    [{ enabled: true, anchor: null }, { hasClock: true, hasPlace: false }, "neverAgain"],
    [{ enabled: true, anchor }, known, "neverAgain"],
  ] as const)("explains why %j with %j has no next run: %s", (schedule, device, why) => {
    expect(whyNoNext(schedule, device)).toBe(why);
  });
});
