import { Coordinates, Qibla } from "adhan";
import type { Settings } from "../settings/settings.schema.ts";
import { dateOf, daysOf } from "../time/calendar-date.ts";
import type { Zone } from "../time/zone.ts";
import { hijriOf, monthNamesOf } from "./hijri.ts";
import {
  PRAYERS,
  type Prayer,
  type PrayerBody,
  type PrayerConfig,
  type PrayerMonthBody,
  type Times,
} from "./prayer.schema.ts";
import { placeOf } from "./prayer-config.ts";
import { type Calculation, type ComputedDay, prayerDayOf, ruleOf } from "./prayer-times.ts";

/** What all answers depend on. */
export interface Outlook {
  nowMs: number;
  clock_ok: boolean;
  zone: Zone;
  /** The local date, YYYY-MM-DD. */
  today: string;
  config: PrayerConfig;
  settings: Pick<Settings, "high_latitude" | "hijri_adjust">;
  adhan_file_ok: boolean;
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
const SUNRISE = 1;
const MOST_UPCOMING = 3;

/** Undefined without a place. */
export function daysIn(outlook: Outlook): Record<Day, ComputedDay> | undefined {
  const calculation = calculationOf(outlook);
  if (!calculation) return undefined;
  const [yesterday, today, tomorrow] = [-1, 0, 1].map((distance) => dayAt(outlook, calculation, distance));
  return yesterday && today && tomorrow && { yesterday, today, tomorrow };
}

/** The six times of any date; undefined without a place. */
export function epochsOn(outlook: Outlook, date: string): readonly number[] | undefined {
  const calculation = calculationOf(outlook);
  return calculation && prayerDayOf(calculation, outlook.zone, date).epochs;
}

export function bodyOf(outlook: Outlook): PrayerBody {
  const { clock_ok, zone, today: date, config, settings } = outlook;
  const days = daysIn(outlook);
  const hijri = hijriOf(daysOf(date) + settings.hijri_adjust);
  return {
    configured: days !== undefined,
    date,
    timezone: zone.rule,
    clock_ok,
    times: days ? timesOf(days.today, zone) : null,
    epochs: days ? [...days.today.epochs] : null,
    next: days ? nextOf(outlook, days) : null,
    current: days ? currentOf(outlook, days) : null,
    hijri: { ...hijri, ...monthNamesOf(hijri), adjust: settings.hijri_adjust },
    config,
    extra: extraOf(outlook, days),
  };
}

/** The whole month; its days are none without a place. */
export function monthOf(outlook: Outlook, month: string): PrayerMonthBody {
  const { zone, settings } = outlook;
  const calculation = calculationOf(outlook);
  const dates = calculation ? datesOf(month) : [];
  return {
    month,
    configured: calculation !== undefined,
    timezone: zone.rule,
    days: dates.flatMap((date) => {
      if (!calculation) return [];
      const day = prayerDayOf(calculation, zone, date);
      return {
        date,
        times: timesOf(day, zone),
        epochs: [...day.epochs],
        hijri: hijriOf(daysOf(date) + settings.hijri_adjust),
      };
    }),
  };
}

function calculationOf({ config, settings }: Outlook): Calculation | undefined {
  const place = placeOf(config);
  if (!place) return undefined;
  const { method, asr_hanafi, offsets_min } = config;
  const { high_latitude, hijri_adjust } = settings;
  return { ...place, method, asr_hanafi, offsets_min, hijri_adjust, rule: ruleOf(high_latitude, place.lat) };
}

function dayAt({ zone, today }: Outlook, calculation: Calculation, distance: number): ComputedDay {
  return prayerDayOf(calculation, zone, dateOf(daysOf(today) + distance));
}

function datesOf(month: string): string[] {
  const first = daysOf(`${month}-01`);
  const dates = Array.from({ length: 31 }, (_, distance) => dateOf(first + distance));
  return dates.filter((date) => date.startsWith(month));
}

function timesOf({ epochs }: ComputedDay, zone: Zone): Times {
  const at = (index: number) => wallTimeOf(epochs[index] ?? Number.NaN, zone);
  return { fajr: at(0), sunrise: at(1), dhuhr: at(2), asr: at(3), maghrib: at(4), isha: at(5) };
}

function wallTimeOf(epoch: number, zone: Zone): string {
  const { hour, minute } = zone.localOf(epoch);
  return [hour, minute].map((number) => String(number).padStart(2, "0")).join(":");
}

/** Isha may fall after midnight, and even after the next Fajr, so the order is that of the instants. */
function momentsOf(days: readonly ComputedDay[]): Moment[] {
  const moments = days.flatMap(({ date, epochs }) =>
    PRAYERS.map((name, index) => ({ name, index, date, epoch: epochs[index] ?? Number.NaN })),
  );
  return moments.toSorted((one, other) => one.epoch - other.epoch);
}

function nextOf({ nowMs, zone }: Outlook, days: Record<Day, ComputedDay>): PrayerBody["next"] {
  const next = momentsOf(Object.values(days)).find(({ epoch }) => epoch * 1000 > nowMs);
  if (!next) return null;
  const { name, index, date, epoch } = next;
  return {
    name,
    index,
    time: wallTimeOf(epoch, zone),
    epoch,
    countdown_s: epoch - Math.floor(nowMs / 1000),
    tomorrow: date === days.tomorrow.date,
  };
}

function currentOf({ nowMs }: Outlook, days: Record<Day, ComputedDay>): PrayerBody["current"] {
  return momentsOf(Object.values(days)).findLast(({ epoch }) => epoch * 1000 <= nowMs)?.name ?? null;
}

function extraOf(outlook: Outlook, days: Record<Day, ComputedDay> | undefined): Extra {
  const { adhan_file_ok } = outlook;
  const calculation = calculationOf(outlook);
  if (!days || !calculation) return { ...NO_EXTRA, upcoming: [], adhan_file_ok };
  const { lat, lng, rule } = calculation;
  return {
    ...nightOf(outlook, days),
    qibla_deg: Math.round(Qibla(new Coordinates(lat, lng)) * 100) / 100,
    high_latitude_rule: rule,
    high_latitude_applied: days.today.isOfNearestLatitude,
    upcoming: upcomingOf(outlook, calculation),
    adhan_file_ok,
  };
}

const NO_EXTRA = {
  imsak: null,
  midnight: null,
  last_third: null,
  qibla_deg: null,
  high_latitude_rule: null,
  high_latitude_applied: false,
} as const;

/** The night goes from Maghrib to the next Fajr. */
function nightOf({ zone }: Outlook, { today, tomorrow }: Record<Day, ComputedDay>) {
  const [fajr = Number.NaN, , , , maghrib = Number.NaN] = today.epochs;
  const [nextFajr = Number.NaN] = tomorrow.epochs;
  const after = (share: number) => wallTimeOf(toMinute(maghrib + (nextFajr - maghrib) * share), zone);
  return { imsak: wallTimeOf(fajr - IMSAK_S, zone), midnight: after(1 / 2), last_third: after(2 / 3) };
}

function toMinute(epoch: number): number {
  return Math.round(epoch / 60) * 60;
}

/** Each wanted prayer comes at least once in a day, so the last of three lies at most three days ahead. */
function upcomingOf(outlook: Outlook, calculation: Calculation): Extra["upcoming"] {
  const { nowMs, zone, config } = outlook;
  if (!config.adhan.enabled) return [];
  const days = [-1, 0, 1, 2, 3].map((distance) => dayAt(outlook, calculation, distance));
  const isCalled = ({ index }: Moment) => index !== SUNRISE && (config.adhan.prayer_mask & (1 << index)) !== 0;
  return momentsOf(days)
    .filter((moment) => isCalled(moment) && moment.epoch * 1000 > nowMs)
    .slice(0, MOST_UPCOMING)
    .map((moment) => ({ ...moment, time: wallTimeOf(moment.epoch, zone) }));
}
