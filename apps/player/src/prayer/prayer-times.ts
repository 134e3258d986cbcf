import {
  CalculationMethod,
  type CalculationParameters,
  Coordinates,
  HighLatitudeRule,
  Madhab,
  PrayerTimes,
} from "adhan";
import { toEpochDays } from "../time/calendar-date.ts";
import type { Zone } from "../time/zone.ts";
import type { PrayerDay } from "./adhan.ts";
import { RAMADAN, toHijri } from "./hijri.ts";
import { PRAYERS, type PrayerConfig, type HighLatitudeRule as Rule } from "./prayer.schema.ts";

/** The input of the times of a date, apart from the time zone. */
export interface Calculation extends Pick<PrayerConfig, "method" | "asr_hanafi" | "offsets_min"> {
  lat: number;
  lng: number;
  rule: Rule;
  hijri_adjust: number;
}

export interface ComputedDay extends PrayerDay {
  /** The sun does not rise or set there on that date, so the times are those of the nearest latitude where it does. */
  isOfNearestLatitude: boolean;
}

const MINUTE_S = 60;
const DAY_S = 86_400;
/** The earth rotates by one degree in four minutes. */
const DEGREE_S = 240;
const DATE_LINE = 180;

// The numbers of the API document.
const METHODS = ["MuslimWorldLeague", "NorthAmerica", "Egyptian", "UmmAlQura", "Karachi"] as const;
const RAMADAN_ISHA_S = 30 * MINUTE_S;

/** Above this latitude the library's authors recommend a seventh of the night, because twilight may last all night. */
const HIGH_LATITUDE = 48;
/** Up to this latitude the sun rises and sets on every day of the year. */
const SAFE_LATITUDE = 60;
const NEAR_ENOUGH = 0.1;

const LIBRARY_RULES = {
  middle_of_the_night: HighLatitudeRule.MiddleOfTheNight,
  seventh_of_the_night: HighLatitudeRule.SeventhOfTheNight,
  twilight_angle: HighLatitudeRule.TwilightAngle,
} as const satisfies Record<Rule, string>;

export function resolveRule(high_latitude: Rule | "auto", lat: number): Rule {
  if (high_latitude !== "auto") return high_latitude;
  return Math.abs(lat) > HIGH_LATITUDE ? "seventh_of_the_night" : "middle_of_the_night";
}

/** The six times of a local date. Its Dhuhr lies in that date, on either side of the date line. */
export function computePrayerDay(calculation: Calculation, zone: Pick<Zone, "offsetAt">, date: string): ComputedDay {
  const { lat, offsets_min } = calculation;
  const days = toEpochDays(date);
  const solarDays = toSolarDays(calculation.lng, zone, days);
  const timesAt = (latitude: number) => computeSunTimes({ ...calculation, lat: latitude }, solarDays);
  const own = timesAt(lat);
  const isOfNearestLatitude = !isInOrder(own);
  const epochs = isOfNearestLatitude ? timesAt(nearestLatitude(lat, (each) => isInOrder(timesAt(each)))) : own;
  const extraS = ramadanExtra(calculation, days);
  return {
    date,
    epochs: epochs.map((epoch, index) => epoch + (offsets_min[index] ?? 0) * MINUTE_S + (extraS[index] ?? 0)),
    isOfNearestLatitude,
  };
}

/**
 * The date that the library expects, as days since 1970. It counts a date from noon at the longitude; Apia (172° west,
 * UTC+13) is one day ahead of that.
 */
function toSolarDays(lng: number, zone: Pick<Zone, "offsetAt">, days: number): number {
  const noonS = days * DAY_S + DAY_S / 2;
  const offsetS = zone.offsetAt(noonS - zone.offsetAt(noonS));
  // The library treats both longitudes of the date line as the eastern one.
  const east = lng === -DATE_LINE ? DATE_LINE : lng;
  return days - Math.round((offsetS - east * DEGREE_S) / DAY_S);
}

/** The times as the library computes them, rounded to the minute; NaN where a time does not exist. */
function computeSunTimes(calculation: Calculation, solarDays: number): number[] {
  const date = new Date(solarDays * DAY_S * 1000);
  // The library reads the local fields of a date: passing them as local fields gives the same result in every time
  // zone.
  const noon = new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), 12);
  const place = new Coordinates(calculation.lat, calculation.lng);
  const times = new PrayerTimes(place, noon, buildParameters(calculation));
  return PRAYERS.map((prayer) => Math.round(times[prayer].getTime() / 1000 / MINUTE_S) * MINUTE_S);
}

function buildParameters({ method, asr_hanafi, rule }: Calculation): CalculationParameters {
  const parameters = CalculationMethod[METHODS[method] ?? METHODS[0]]();
  parameters.madhab = asr_hanafi ? Madhab.Hanafi : Madhab.Shafi;
  parameters.highLatitudeRule = LIBRARY_RULES[rule];
  return parameters;
}

/** Whether the times are ascending; where the sun only touches the horizon, the library's times are not. */
function isInOrder(epochs: readonly number[]): boolean {
  return epochs.every((epoch, index) => epoch > (epochs[index - 1] ?? Number.NEGATIVE_INFINITY));
}

function nearestLatitude(lat: number, isUsable: (lat: number) => boolean): number {
  let usable = Math.sign(lat) * SAFE_LATITUDE;
  let unusable = lat;
  while (Math.abs(unusable - usable) > NEAR_ENOUGH) {
    const middle = (usable + unusable) / 2;
    if (isUsable(middle)) usable = middle;
    else unusable = middle;
  }
  return usable;
}

/** In Ramadan the Umm al-Qura calendar has Isha two hours after Maghrib, not one and a half. */
function ramadanExtra({ method, hijri_adjust }: Calculation, days: number): readonly number[] {
  const isLonger = METHODS[method] === "UmmAlQura" && toHijri(days + hijri_adjust).month === RAMADAN;
  return isLonger ? [0, 0, 0, 0, 0, RAMADAN_ISHA_S] : [];
}
