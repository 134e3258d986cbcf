import { Coordinates, Qibla } from "adhan";
import type { Settings } from "../settings/settings.schema.ts";
import { toEpochDays, toIsoDate } from "../time/calendar-date.ts";
import type { Zone } from "../time/zone.ts";
import type { CalledPrayer } from "./adhan.ts";
import { monthNamesOf, toHijri } from "./hijri.ts";
import {
  type AdhanSound,
  PRAYERS,
  type Prayer,
  type PrayerBody,
  type PrayerConfig,
  type PrayerMonthBody,
  type Times,
} from "./prayer.schema.ts";
import { placeOf } from "./prayer-config.ts";
import { type Calculation, type ComputedDay, computePrayerDay, resolveRule } from "./prayer-times.ts";

/** The input of all answers. */
export interface Outlook {
  nowMs: number;
  clock_ok: boolean;
  zone: Zone;
  /** The local date, YYYY-MM-DD. */
  today: string;
  config: PrayerConfig;
  settings: Pick<Settings, "high_latitude" | "hijri_adjust">;
  /** Whether the files of the configuration exist; true for a path that is empty. */
  has: { path: boolean; fajr_path: boolean };
  hasCalled: (adhan: { prayer: CalledPrayer; date: string }) => boolean;
}

type Day = "yesterday" | "today" | "tomorrow";
type Extra = PrayerBody["extra"];

interface Moment {
  name: Prayer;
  index: number;
  date: string;
  epoch: number;
}

const IMSAK_S = 10 * 60;
const MAX_UPCOMING = 3;

/** Undefined without a location. */
export function daysIn(outlook: Outlook): Record<Day, ComputedDay> | undefined {
  const calculation = toCalculation(outlook);
  if (!calculation) return undefined;
  const [yesterday, today, tomorrow] = [-1, 0, 1].map((distance) => dayAt(outlook, calculation, distance));
  return yesterday && today && tomorrow && { yesterday, today, tomorrow };
}

/** The six times of any date; undefined without a location. */
export function epochsOn(outlook: Outlook, date: string): readonly number[] | undefined {
  const calculation = toCalculation(outlook);
  return calculation && computePrayerDay(calculation, outlook.zone, date).epochs;
}

export function buildBody(outlook: Outlook): PrayerBody {
  const { clock_ok, zone, today: date, config, settings } = outlook;
  const days = daysIn(outlook);
  const hijri = toHijri(toEpochDays(date) + settings.hijri_adjust);
  return {
    configured: days !== undefined,
    date,
    timezone: zone.rule,
    clock_ok,
    times: days ? formatTimes(days.today, zone) : null,
    epochs: days ? [...days.today.epochs] : null,
    next: days ? findNext(outlook, days) : null,
    current: days ? findCurrent(outlook, days) : null,
    hijri: { ...hijri, ...monthNamesOf(hijri), adjust: settings.hijri_adjust },
    config,
    extra: buildExtra(outlook, days),
  };
}

/** The whole month; without a location it has no days. */
export function buildMonth(outlook: Outlook, month: string): PrayerMonthBody {
  const { zone, settings } = outlook;
  const calculation = toCalculation(outlook);
  const dates = calculation ? listDates(month) : [];
  return {
    month,
    configured: calculation !== undefined,
    timezone: zone.rule,
    days: dates.flatMap((date) => {
      if (!calculation) return [];
      const day = computePrayerDay(calculation, zone, date);
      return {
        date,
        times: formatTimes(day, zone),
        epochs: [...day.epochs],
        hijri: toHijri(toEpochDays(date) + settings.hijri_adjust),
      };
    }),
  };
}

function toCalculation({ config, settings }: Outlook): Calculation | undefined {
  const place = placeOf(config);
  if (!place) return undefined;
  const { method, asr_hanafi, offsets_min } = config;
  const { high_latitude, hijri_adjust } = settings;
  return { ...place, method, asr_hanafi, offsets_min, hijri_adjust, rule: resolveRule(high_latitude, place.lat) };
}

function dayAt({ zone, today }: Outlook, calculation: Calculation, distance: number): ComputedDay {
  return computePrayerDay(calculation, zone, toIsoDate(toEpochDays(today) + distance));
}

function listDates(month: string): string[] {
  const first = toEpochDays(`${month}-01`);
  const dates = Array.from({ length: 31 }, (_, distance) => toIsoDate(first + distance));
  return dates.filter((date) => date.startsWith(month));
}

function formatTimes({ epochs }: ComputedDay, zone: Zone): Times {
  const at = (index: number) => formatWallTime(epochs[index] ?? Number.NaN, zone);
  return { fajr: at(0), sunrise: at(1), dhuhr: at(2), asr: at(3), maghrib: at(4), isha: at(5) };
}

function formatWallTime(epoch: number, zone: Zone): string {
  const { hour, minute } = zone.localOf(epoch);
  return [hour, minute].map((number) => String(number).padStart(2, "0")).join(":");
}

/** Isha may fall after midnight, and even after the next Fajr, so the list is sorted by instant. */
function listMoments(days: readonly ComputedDay[]): Moment[] {
  const moments = days.flatMap(({ date, epochs }) =>
    PRAYERS.map((name, index) => ({ name, index, date, epoch: epochs[index] ?? Number.NaN })),
  );
  return moments.toSorted((one, other) => one.epoch - other.epoch);
}

function findNext(
  { nowMs, zone }: Outlook,
  days: Record<Day, ComputedDay>,
  isWanted: (moment: Moment) => boolean = () => true,
): PrayerBody["next"] {
  const next = listMoments(Object.values(days)).find((moment) => moment.epoch * 1000 > nowMs && isWanted(moment));
  if (!next) return null;
  const { name, index, date, epoch } = next;
  return {
    name,
    index,
    time: formatWallTime(epoch, zone),
    epoch,
    countdown_s: epoch - Math.floor(nowMs / 1000),
    tomorrow: date === days.tomorrow.date,
  };
}

function findCurrent({ nowMs }: Outlook, days: Record<Day, ComputedDay>): PrayerBody["current"] {
  return listMoments(Object.values(days)).findLast(({ epoch }) => epoch * 1000 <= nowMs)?.name ?? null;
}

function buildExtra(outlook: Outlook, days: Record<Day, ComputedDay> | undefined): Extra {
  const adhan_file_ok = outlook.has.path && outlook.has.fajr_path;
  const calculation = toCalculation(outlook);
  const upcoming = calculation ? listUpcoming(outlook, calculation) : [];
  const adhan = { upcoming, adhan_file_ok, adhan_sound: upcoming[0]?.sound ?? soundFor(outlook, "dhuhr") };
  if (!days || !calculation) return { ...NO_EXTRA, ...adhan };
  const { lat, lng, rule } = calculation;
  return {
    next_prayer: findNext(outlook, days, ({ name }) => name !== "sunrise"),
    ...computeNight(outlook, days),
    qibla_deg: Math.round(Qibla(new Coordinates(lat, lng)) * 100) / 100,
    high_latitude_rule: rule,
    high_latitude_applied: days.today.isOfNearestLatitude,
    ...adhan,
  };
}

/** What is played for this prayer; the adhan service decides in the same way. */
function soundFor({ config, has }: Outlook, prayer: CalledPrayer): AdhanSound {
  const { path, fajr_path } = config.adhan;
  const isOwn = prayer === "fajr" && fajr_path !== "";
  const hasRecording = isOwn ? has.fajr_path : path !== "" && has.path;
  return hasRecording ? "recording" : "tone";
}

const NO_EXTRA = {
  next_prayer: null,
  imsak: null,
  midnight: null,
  last_third: null,
  qibla_deg: null,
  high_latitude_rule: null,
  high_latitude_applied: false,
} as const;

/** The night lasts from Maghrib to the next Fajr. */
function computeNight({ zone }: Outlook, { today, tomorrow }: Record<Day, ComputedDay>) {
  const [fajr = Number.NaN, , , , maghrib = Number.NaN] = today.epochs;
  const [nextFajr = Number.NaN] = tomorrow.epochs;
  const after = (share: number) => formatWallTime(toMinute(maghrib + (nextFajr - maghrib) * share), zone);
  return { imsak: formatWallTime(fajr - IMSAK_S, zone), midnight: after(1 / 2), last_third: after(2 / 3) };
}

function toMinute(epoch: number): number {
  return Math.round(epoch / 60) * 60;
}

/** Each enabled prayer occurs at least once a day, so the last of three is at most three days ahead. */
function listUpcoming(outlook: Outlook, calculation: Calculation): Extra["upcoming"] {
  const { nowMs, zone, config, hasCalled } = outlook;
  if (!config.adhan.enabled) return [];
  const days = [-1, 0, 1, 2, 3].map((distance) => dayAt(outlook, calculation, distance));
  const upcoming = listMoments(days).flatMap(({ name, index, date, epoch }) => {
    const isWanted = (config.adhan.prayer_mask & (1 << index)) !== 0;
    if (name === "sunrise" || !isWanted || epoch * 1000 <= nowMs || hasCalled({ prayer: name, date })) return [];
    return { name, index, date, epoch, time: formatWallTime(epoch, zone), sound: soundFor(outlook, name) };
  });
  return upcoming.slice(0, MAX_UPCOMING);
}
