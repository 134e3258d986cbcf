import { describe, expect, it } from "vitest";
import { calculation } from "../../testing/calculation.ts";
import { zoneinfoRules } from "../../testing/zoneinfo.ts";
import { toEpochDays, toIsoDate } from "../time/calendar-date.ts";
import { parseZone } from "../time/zone.ts";
import { RAMADAN, toHijri } from "./hijri.ts";
import { PRAYERS } from "./prayer.schema.ts";
import { computePrayerDay, resolveRule } from "./prayer-times.ts";

const FIRST_DAY = toEpochDays("2026-01-01");
const DATES = Array.from({ length: 365 }, (_, at) => toIsoDate(FIRST_DAY + at));
const DAY_S = 86_400;

function isAscending(epochs: readonly number[]): boolean {
  return epochs.length === 6 && epochs.every((epoch, at) => at === 0 || epoch > (epochs[at - 1] ?? Number.NaN));
}

const sin = (degrees: number) => Math.sin((degrees * Math.PI) / 180);
const cos = (degrees: number) => Math.cos((degrees * Math.PI) / 180);
const tan = (degrees: number) => sin(degrees) / cos(degrees);
const toDegrees = (radians: number) => (radians * 180) / Math.PI;

/** The position of the sun, by the equations of NOAA's solar calculator (gml.noaa.gov/grad/solcalc). */
function sunAt(epochS: number): { declination: number; equationOfTimeMin: number } {
  const t = (epochS / DAY_S + 2_440_587.5 - 2_451_545) / 36_525;
  const meanLongitude = 280.46646 + t * (36_000.76983 + t * 0.0003032);
  const anomaly = 357.52911 + t * (35_999.05029 - 0.0001537 * t);
  const eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t);
  const center =
    sin(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t)) +
    sin(2 * anomaly) * (0.019993 - 0.000101 * t) +
    sin(3 * anomaly) * 0.000289;
  const node = 125.04 - 1934.136 * t;
  const longitude = meanLongitude + center - 0.00569 - 0.00478 * sin(node);
  const meanObliquity = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60;
  const obliquity = meanObliquity + 0.00256 * cos(node);
  const y = tan(obliquity / 2) ** 2;
  const equation =
    y * sin(2 * meanLongitude) -
    2 * eccentricity * sin(anomaly) +
    4 * eccentricity * y * sin(anomaly) * cos(2 * meanLongitude) -
    0.5 * y * y * sin(4 * meanLongitude) -
    1.25 * eccentricity * eccentricity * sin(2 * anomaly);
  return {
    declination: toDegrees(Math.asin(sin(obliquity) * sin(longitude))),
    equationOfTimeMin: 4 * toDegrees(equation),
  };
}

function altitudeAt({ lat, lng }: Place, epochS: number): number {
  const { declination, equationOfTimeMin } = sunAt(epochS);
  const hourAngle = (epochS % DAY_S) / 240 + equationOfTimeMin / 4 + lng - 180;
  return toDegrees(Math.asin(sin(lat) * sin(declination) + cos(lat) * cos(declination) * cos(hourAngle)));
}

interface Place {
  lat: number;
  lng: number;
}

/** The instant between noon and the midnight after or before it at which the sun has the altitude; by bisection. */
function crossing(place: Place, noon: number, side: -1 | 1, altitude: number): number | undefined {
  let above = noon;
  let below = noon + (side * DAY_S) / 2;
  if (altitudeAt(place, below) > altitude) return undefined;
  while (Math.abs(below - above) > 1) {
    const middle = (above + below) / 2;
    if (altitudeAt(place, middle) > altitude) above = middle;
    else below = middle;
  }
  return above;
}

interface Sky extends Place {
  fajr: number;
  /** Degrees below the horizon, or minutes after Maghrib. */
  isha: { degrees: number } | { minutes: number };
  shadow: 1 | 2;
}

/** The six times of a date at the longitude, computed from the position of the sun. */
function computeSkyTimes(sky: Sky, days: number): number[] {
  const meanNoon = days * DAY_S + DAY_S / 2 - sky.lng * 240;
  const noon = meanNoon - sunAt(meanNoon).equationOfTimeMin * 60;
  const sunrise = crossing(sky, noon, -1, HORIZON) ?? Number.NaN;
  const maghrib = crossing(sky, noon, 1, HORIZON) ?? Number.NaN;
  const nextSunrise = crossing(sky, noon + DAY_S, -1, HORIZON) ?? Number.NaN;
  const noonShadow = tan(Math.abs(sky.lat - sunAt(noon).declination));
  const asr = crossing(sky, noon, 1, toDegrees(Math.atan(1 / (sky.shadow + noonShadow)))) ?? Number.NaN;
  const longest = (nextSunrise - maghrib) / (sky.lat > 48 ? 7 : 2);
  const fajr = Math.max(crossing(sky, noon, -1, -sky.fajr) ?? 0, sunrise - longest);
  const isha =
    "minutes" in sky.isha
      ? maghrib + sky.isha.minutes * 60
      : Math.min(crossing(sky, noon, 1, -sky.isha.degrees) ?? Number.POSITIVE_INFINITY, maghrib + longest);
  return [fajr, sunrise, noon, asr, maghrib, isha];
}

/** The upper edge of the sun, with refraction. */
const HORIZON = -50 / 60;

describe("a year of times", () => {
  it.each([
    ["Mecca", { lat: 21.4225, lng: 39.8262, method: 3 }, 18.5, { minutes: 90 }],
    ["Cairo", { lat: 30.0444, lng: 31.2357, method: 2 }, 19.5, { degrees: 17.5 }],
    ["Karachi", { lat: 24.8607, lng: 67.0011, method: 4 }, 18, { degrees: 18 }],
    ["New York", { lat: 40.7128, lng: -74.006, method: 1 }, 15, { degrees: 15 }],
    ["Jakarta", { lat: -6.2088, lng: 106.8456, method: 0 }, 18, { degrees: 17 }],
    ["London", { lat: 51.5074, lng: -0.1278, method: 0 }, 18, { degrees: 17 }],
    ["Oslo", { lat: 59.9139, lng: 10.7522, method: 0 }, 18, { degrees: 17 }],
  ])("a year of times in %s agrees with the position of the sun, in both schools", (_, place, fajr, isha) => {
    // The library computes the noon shadow from the sun of the previous midnight: in a northern winter that differs by
    // minutes.
    const most = place.lat > 48 ? [120, 120, 120, 180, 120, 120] : [120, 120, 120, 120, 120, 120];
    const tooFar = ([1, 2] as const).flatMap((shadow) =>
      DATES.flatMap((date) => {
        const isLong = "minutes" in isha && toHijri(toEpochDays(date)).month === RAMADAN;
        const expected = computeSkyTimes(
          { ...place, fajr, isha: isLong ? { minutes: 120 } : isha, shadow },
          toEpochDays(date),
        );
        const { epochs } = computePrayerDay(
          calculation({ ...place, asr_hanafi: shadow === 2 }),
          parseZone("UTC0"),
          date,
        );
        const isNear = (at: number) => Math.abs((epochs[at] ?? Number.NaN) - (expected[at] ?? 0)) <= (most[at] ?? 0);
        return [0, 1, 2, 3, 4, 5].filter((at) => !isNear(at)).map((at) => `${PRAYERS[at]} ${date}, shadow ${shadow}`);
      }),
    );
    expect(tooFar).toEqual([]);
  });

  it("a year of times has six times in order on every day at every latitude, for every method and rule", () => {
    const latitudes = Array.from({ length: 181 }, (_, at) => at - 90);
    const zone = parseZone("UTC0");
    const wrong = latitudes.flatMap((lat, at) =>
      DATES.filter((date, day) => {
        const rule = (["auto", "twilight_angle", "middle_of_the_night"] as const)[day % 3] ?? "auto";
        const part = { lat, method: (at + day) % 5, asr_hanafi: day % 2 === 0, rule: resolveRule(rule, lat) };
        return !isAscending(computePrayerDay(calculation(part), zone, date).epochs);
      }).map((date) => `${lat} ${date}`),
    );
    expect(wrong).toEqual([]);
  });

  it("a year of times has six times within each date in every zone of the world", () => {
    const rules = zoneinfoRules();
    const wrong = rules.flatMap((rule) => {
      const zone = parseZone(rule);
      const hours = zone.offsetAt(FIRST_DAY * DAY_S) / 3600;
      // Where the sun is highest at noon; beyond the date line the same meridian has a western longitude.
      const lng = hours > 12 ? hours * 15 - 360 : hours * 15;
      return DATES.filter((date) => {
        const { epochs } = computePrayerDay(calculation({ lat: 30, lng }), zone, date);
        const dates = epochs.map((epoch) => toIsoDate(Math.floor((epoch + zone.offsetAt(epoch)) / DAY_S)));
        return !isAscending(epochs) || dates.some((each) => each !== date);
      }).map((date) => `${rule} ${date}`);
    });
    expect(wrong).toEqual([]);
    expect(rules.length).toBeGreaterThan(80);
  });
});
