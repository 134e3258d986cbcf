import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { calculation } from "../../testing/calculation.ts";
import { toEpochDays, toIsoDate } from "../time/calendar-date.ts";
import { parseZone } from "../time/zone.ts";
import { type Calculation, computePrayerDay, resolveRule } from "./prayer-times.ts";

const MECCA: Calculation = calculation({ lat: 21.427009, lng: 39.828685, method: 3 });
const LONDON: Calculation = calculation({ lat: 51.508515, lng: -0.1254872, method: 1 });
const RIYADH_TIME = "<+03>-3";
const LONDON_TIME = "GMT0BST,M3.5.0/1,M10.5.0";
const MINUTE = 60;

function computeEpochs(asked: Calculation, rule: string, date: string): number[] {
  return [...computePrayerDay(asked, parseZone(rule), date).epochs];
}

/** Minutes after the local midnight at which the date begins. */
function computeMinutes(asked: Calculation, rule: string, date: string): number[] {
  const zone = parseZone(rule);
  return computeEpochs(asked, rule, date).map(
    (epoch) => (epoch + zone.offsetAt(epoch) - toEpochDays(date) * 86_400) / MINUTE,
  );
}

function formatMinutes(minutes: readonly number[]): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return minutes.map((each) => `${two(Math.floor(each / 60) % 24)}:${two(each % 60)}`).join(" ");
}

/** The greatest difference from the printed times, in minutes. */
function measureDistance(asked: Calculation, rule: string, date: string, printed: string): number {
  const wanted = printed.split(" ").map((time) => {
    const [hour = 0, minute = 0] = time.split(":").map(Number);
    return hour * 60 + minute;
  });
  expect(wanted).toHaveLength(6);
  return Math.max(
    ...computeMinutes(asked, rule, date).map((minutes, at) => Math.abs(minutes - (wanted[at] ?? Number.NaN))),
  );
}

function isAscending(epochs: readonly number[]): boolean {
  return epochs.length === 6 && epochs.every((epoch, at) => at === 0 || epoch > (epochs[at - 1] ?? Number.NaN));
}

describe("prayer times", () => {
  // ummulqura.org.sa, as collected in the test data of the libraries of Batoul Apps (Times/Makkah-UmmAlQura.json).
  it.each([
    ["2016-01-05", "05:39 06:59 12:26 15:32 17:53 19:23"],
    ["2016-02-04", "05:39 06:57 12:35 15:49 18:13 19:43"],
    ["2016-03-05", "05:22 06:37 12:33 15:55 18:27 19:57"],
    ["2016-04-03", "04:55 06:11 12:24 15:50 18:37 20:07"],
    ["2016-05-02", "04:27 05:48 12:18 15:39 18:47 20:17"],
    ["2016-06-04", "04:11 05:37 12:20 15:37 19:01 20:31"],
    ["2016-07-08", "04:18 05:44 12:26 15:43 19:07 20:37"],
    ["2016-08-02", "04:32 05:54 12:27 15:46 19:00 20:30"],
    ["2016-09-04", "04:48 06:04 12:20 15:45 18:34 20:04"],
    ["2016-10-06", "04:58 06:13 12:09 15:32 18:04 19:34"],
    ["2016-11-05", "05:09 06:26 12:05 15:19 17:43 19:13"],
    ["2016-12-04", "05:24 06:44 12:12 15:17 17:38 19:08"],
  ])("in Mecca on %s differ by at most a minute from those of Umm al-Qura", (date, printed) => {
    expect(measureDistance(MECCA, RIYADH_TIME, date, printed)).toBeLessThanOrEqual(1);
  });

  // esa.gov.eg, September 2025, as collected in the test data of masaajid-hub/prayer-times (input/cairo-egypt.txt).
  it.each([
    ["2025-09-01", "05:02 06:32 12:55 16:29 19:17 20:37"],
    ["2025-09-08", "05:07 06:36 12:53 16:25 19:09 20:28"],
    ["2025-09-15", "05:12 06:39 12:50 16:20 19:00 20:18"],
    ["2025-09-22", "05:16 06:43 12:48 16:15 18:51 20:09"],
    ["2025-09-30", "05:21 06:48 12:45 16:09 18:42 19:59"],
  ])("in Cairo on %s differ by at most a minute from those of the Egyptian survey authority", (date, printed) => {
    const cairo = calculation({ lat: 30.0312784, lng: 31.2125945, method: 2 });
    expect(measureDistance(cairo, "EET-2EEST,M4.5.5/0,M10.5.4/24", date, printed)).toBeLessThanOrEqual(1);
  });

  // The tests of islamic-network/prayer-times (tests/Timings.php), which support only the twilight angle.
  it("in London in April differ by at most a minute from another library", () => {
    const printed = "03:57 05:46 12:59 16:55 20:12 22:02";
    const london = { ...LONDON, rule: "twilight_angle" } as const;
    expect(measureDistance(london, LONDON_TIME, "2014-04-24", printed)).toBeLessThanOrEqual(1);
  });

  // The example in the documentation of the libraries of Batoul Apps.
  it("in Raleigh in July equal the library's own example, with the later Asr", () => {
    const raleigh = calculation({ lat: 35.775, lng: -78.6336, method: 1, asr_hanafi: true });
    const times = formatMinutes(computeMinutes(raleigh, "EST5EDT,M3.2.0,M11.1.0", "2015-07-12"));
    expect(times).toBe("04:42 06:08 13:21 18:22 20:32 21:57");
  });

  it("include the owner's offset of each prayer", () => {
    const plain = computeEpochs(MECCA, RIYADH_TIME, "2026-05-01");
    const offsets_min = [1, -2, 3, -4, 60, -60];
    const moved = computeEpochs({ ...MECCA, offsets_min }, RIYADH_TIME, "2026-05-01");
    expect(moved.map((epoch, at) => (epoch - (plain[at] ?? 0)) / MINUTE)).toEqual(offsets_min);
  });

  // 1 Ramadan 1447 is 18 February 2026 in the civil calendar, and 30 Ramadan is 19 March.
  it.each([
    ["2026-02-17", 0, 90],
    ["2026-02-18", 0, 120],
    ["2026-03-19", 0, 120],
    ["2026-03-20", 0, 90],
    ["2026-02-17", 1, 120],
    ["2026-03-19", 1, 90],
    ["2026-02-18", -1, 90],
  ])(
    "place Isha on %s, with the Hijri date moved by %i, %i minutes after Maghrib in Mecca",
    (date, adjust, minutes) => {
      const [, , , , maghrib = 0, isha = 0] = computeEpochs({ ...MECCA, hijri_adjust: adjust }, RIYADH_TIME, date);
      expect((isha - maghrib) / MINUTE).toBe(minutes);
    },
  );

  it("have a Ramadan rule in no other method", () => {
    const inRamadan = (method: number) => {
      const [, , , , maghrib = 0, isha = 0] = computeEpochs({ ...MECCA, method }, RIYADH_TIME, "2026-03-01");
      return (isha - maghrib) / MINUTE;
    };
    expect([0, 1, 2, 4].map((method) => inRamadan(method) < 90)).toEqual([true, true, true, true]);
  });

  it("are in order at every location below 48 degrees, in every method and school", () => {
    const asked = fc.record({
      lat: fc.double({ min: -47.9, max: 47.9, noNaN: true }),
      lng: fc.double({ min: -180, max: 180, noNaN: true }),
      method: fc.integer({ min: 0, max: 4 }),
      asr_hanafi: fc.boolean(),
      rule: fc.constantFrom("middle_of_the_night", "seventh_of_the_night", "twilight_angle"),
    });
    const days = fc.integer({ min: toEpochDays("2024-01-01"), max: toEpochDays("2099-12-31") });
    fc.assert(
      fc.property(asked, days, (part, day) => isAscending(computeEpochs(calculation(part), "UTC0", toIsoDate(day)))),
      { numRuns: 2000, seed: 1447 },
    );
  });
});

describe("prayer times at the date line", () => {
  it.each([
    ["Apia", -13.83, -171.76, "<+13>-13"],
    ["Pago Pago", -14.28, -170.7, "SST11"],
    ["Kiritimati", 1.87, -157.4, "<+14>-14"],
    ["Suva", -18.14, 178.44, "<+12>-12"],
    ["Anadyr", 64.73, 177.51, "<+12>-12"],
    ["Uelen", 66.16, -169.8, "<+12>-12"],
    ["Attu", 52.9, 172.9, "HST10HDT,M3.2.0,M11.1.0"],
    ["Chatham", -43.95, -176.55, "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45"],
    ["a place on the date line, from the west", 0, 180, "<+12>-12"],
    ["a place on the date line, from the east", 0, -180, "<+12>-12"],
    ["a place on the date line, a day behind", 0, -180, "<-12>12"],
    ["a place on the date line, a day behind, by its other longitude", 0, 180, "<-12>12"],
  ])("in %s belong to the requested date, and each date has its own", (_, lat, lng, rule) => {
    const first = toEpochDays("2026-01-01");
    const noons = Array.from({ length: 365 }, (_each, at) => {
      const [, , dhuhr = 0] = computeMinutes(calculation({ lat, lng }), rule, toIsoDate(first + at));
      return dhuhr;
    });
    expect(Math.min(...noons)).toBeGreaterThan(9 * 60);
    expect(Math.max(...noons)).toBeLessThan(17 * 60);
  });
});

describe("prayer times at high latitudes", () => {
  it.each([
    ["auto", 48, "middle_of_the_night"],
    ["auto", 48.01, "seventh_of_the_night"],
    ["auto", -54.8, "seventh_of_the_night"],
    ["twilight_angle", 60, "twilight_angle"],
    ["middle_of_the_night", 60, "middle_of_the_night"],
    ["seventh_of_the_night", 0, "seventh_of_the_night"],
  ] as const)("resolves %s at %d degrees to %s", (high_latitude, lat, rule) => {
    expect(resolveRule(high_latitude, lat)).toBe(rule);
  });

  // In June the sun of London is never 18 degrees below the horizon: the rule defines all of the twilight.
  it.each([
    ["middle_of_the_night", 1 / 2, 1 / 2],
    ["seventh_of_the_night", 1 / 7, 1 / 7],
    ["twilight_angle", 18 / 60, 17 / 60],
  ] as const)("splits a June night in London by %s", (rule, fajrShare, ishaShare) => {
    const london = { ...LONDON, method: 0, rule };
    const [fajr = 0, sunrise = 0, , , maghrib = 0, isha = 0] = computeEpochs(london, LONDON_TIME, "2026-06-21");
    const [, nextSunrise = 0] = computeEpochs(london, LONDON_TIME, "2026-06-22");
    const night = nextSunrise - maghrib;
    expect(Math.abs(sunrise - fajr - night * fajrShare)).toBeLessThanOrEqual(MINUTE);
    expect(Math.abs(isha - maghrib - night * ishaShare)).toBeLessThanOrEqual(MINUTE);
  });

  it("allows Isha after midnight, and assigns it to its date", () => {
    const oslo = calculation({ lat: 59.91, lng: 10.75, rule: "middle_of_the_night" });
    const minutes = computeMinutes(oslo, "CET-1CEST,M3.5.0,M10.5.0/3", "2026-06-21");
    expect(isAscending(minutes)).toBe(true);
    expect(minutes[5]).toBeGreaterThan(24 * 60);
  });

  it.each([
    ["Tromso at midsummer", 69.65, "2026-06-21", true],
    ["Tromso at midwinter", 69.65, "2026-12-21", true],
    ["Tromso in March", 69.65, "2026-03-21", false],
    ["Rothera at its midsummer", -67.57, "2026-12-21", true],
    ["Oslo at midsummer", 59.91, "2026-06-21", false],
    ["the north pole in March", 90, "2026-03-10", true],
    ["the south pole in June", -90, "2026-06-21", true],
  ])("keeps the times of %s in order, and reports whether another latitude was used", (_, lat, date, isNearest) => {
    const { epochs, isOfNearestLatitude } = computePrayerDay(calculation({ lat }), parseZone("UTC0"), date);
    expect(isAscending(epochs)).toBe(true);
    expect(isOfNearestLatitude).toBe(isNearest);
  });

  it("uses the nearest latitude, where the sun hardly sets", () => {
    const [, sunrise = 0, , , maghrib = 0] = computeEpochs(calculation({ lat: 69.65 }), "UTC0", "2026-06-21");
    // On the longest day even at 65 degrees the sun is up for 22 hours.
    expect((maghrib - sunrise) / 3600).toBeGreaterThan(22);
  });
});

describe("in any time zone of the process", () => {
  const before = process.env.TZ;
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  it("computes the same times", () => {
    const seen = ["UTC", "Pacific/Apia", "America/New_York", "Africa/Cairo", "Pacific/Kiritimati"].map((zone) => {
      process.env.TZ = zone;
      const offset = new Date("2026-04-24T00:00:00Z").getTimezoneOffset();
      const times = ["2026-03-08", "2026-04-24", "2026-11-01"].map((date) => computeEpochs(MECCA, RIYADH_TIME, date));
      return { offset, times: JSON.stringify(times) };
    });
    expect(seen.map(({ offset }) => offset)).toEqual([0, -780, 240, -180, -840]);
    expect(new Set(seen.map(({ times }) => times)).size).toBe(1);
  });
});
