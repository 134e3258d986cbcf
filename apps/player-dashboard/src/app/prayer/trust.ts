import type { BatteryBody } from "@player/service/contract/power";
import type { PrayerBody } from "@player/service/contract/prayer";
import type { SettingsBody } from "@player/service/contract/settings";
import type { Sound } from "../system/use-sound.ts";
import { FAJR, hasCalls, withCall } from "./prayers.ts";

/** `noted`: the adhan will play, but something needs attention. */
export type Mark = "good" | "noted" | "bad";

export interface TrustPoint {
  mark: Mark;
  /** The key of its phrase. */
  say:
    | "soundWorks"
    | "soundFailed"
    | "soundUnknown"
    | "adhanOn"
    | "adhanOff"
    | "noneChosen"
    | "noPlace"
    | "clockServer"
    | "clockChip"
    | "clockHand"
    | "clockNone"
    | "zoneSame"
    | "zoneOther"
    | "fileThere"
    | "fileTone"
    | "fileToneOthers"
    | "fileMissing"
    | "volumeGood"
    | "volumeLow"
    | "volumeZero"
    | "sleepsAndWakes"
    | "sleeps"
    | "batteryLow";
  /** A number that the phrase names. */
  value?: number;
}

export interface TrustInput {
  sound: Sound;
  prayer: PrayerBody;
  settings: SettingsBody;
  battery: BatteryBody | undefined;
  /** The volume of the player now. */
  volume: number;
  /** The rule of the browser's time zone; undefined when unknown. */
  browserRule: string | undefined;
}

const SOUND_POINTS: Readonly<Record<Sound, TrustPoint>> = {
  works: { mark: "good", say: "soundWorks" },
  failed: { mark: "bad", say: "soundFailed" },
  unknown: { mark: "noted", say: "soundUnknown" },
};
const LOW_VOLUME = 15;
const LOW_BATTERY = 20;

/** The conditions that decide whether the next adhan plays, in the order in which a person would check them. */
export function trustPoints(input: TrustInput): TrustPoint[] {
  const { sound, prayer, settings, battery, browserRule } = input;
  return [
    SOUND_POINTS[sound],
    callPoint(prayer),
    ...(prayer.configured ? [] : [{ mark: "bad", say: "noPlace" } as const]),
    clockPoint(prayer, settings),
    ...zonePoint(settings.timezone, browserRule),
    filePoint(prayer),
    volumePoint(input),
    ...sleepPoint(settings),
    ...batteryPoint(battery),
  ];
}

/** The verdict is the worst mark. */
export function verdictOf(points: readonly TrustPoint[]): Mark {
  const marks = points.map(({ mark }) => mark);
  if (marks.includes("bad")) return "bad";
  return marks.includes("noted") ? "noted" : "good";
}

function callPoint({ config: { adhan } }: PrayerBody): TrustPoint {
  if (!adhan.enabled) return { mark: "bad", say: "adhanOff" };
  return hasCalls(adhan.prayer_mask) ? { mark: "good", say: "adhanOn" } : { mark: "bad", say: "noneChosen" };
}

function clockPoint({ clock_ok }: PrayerBody, { time_source }: SettingsBody): TrustPoint {
  if (!clock_ok) return { mark: "bad", say: "clockNone" };
  switch (time_source) {
    case "none":
      return { mark: "bad", say: "clockNone" };
    case "sntp":
      return { mark: "good", say: "clockServer" };
    case "rtc":
      return { mark: "good", say: "clockChip" };
    case "manual":
      return { mark: "noted", say: "clockHand" };
    default:
      return time_source satisfies never;
  }
}

function zonePoint(rule: string, browserRule: string | undefined): TrustPoint[] {
  if (browserRule === undefined) return [];
  return [browserRule === rule ? { mark: "good", say: "zoneSame" } : { mark: "noted", say: "zoneOther" }];
}

/** The built-in tone replaces a missing recording. It is not an adhan. */
function filePoint({ config: { adhan }, extra }: PrayerBody): TrustPoint {
  const isMissing = adhan.path === "";
  if (isMissing && adhan.fajr_path === "") return { mark: "noted", say: "fileTone" };
  if (isMissing && hasCalls(withCall(adhan.prayer_mask, FAJR, false))) return { mark: "noted", say: "fileToneOthers" };
  return extra.adhan_file_ok ? { mark: "good", say: "fileThere" } : { mark: "noted", say: "fileMissing" };
}

/** Whether the next call will be the tone. */
export function isOnlyTone(points: readonly TrustPoint[]): boolean {
  return points.some(({ say }) => say === "fileTone" || say === "fileMissing");
}

function volumePoint({ prayer: { config }, settings, volume }: TrustInput): TrustPoint {
  const value = Math.min(config.adhan.volume || volume, settings.max_volume);
  if (value === 0) return { mark: "bad", say: "volumeZero" };
  return value < LOW_VOLUME ? { mark: "noted", say: "volumeLow", value } : { mark: "good", say: "volumeGood", value };
}

/** Only a clock chip can wake the player; a temperature reading proves that one is fitted. */
function sleepPoint({ auto_off_minutes: value, time_source, rtc_temperature }: SettingsBody): TrustPoint[] {
  if (value === 0) return [];
  const hasChip = time_source === "rtc" || rtc_temperature !== undefined;
  return [hasChip ? { mark: "good", say: "sleepsAndWakes", value } : { mark: "noted", say: "sleeps", value }];
}

function batteryPoint(battery: BatteryBody | undefined): TrustPoint[] {
  if (!battery?.present || battery.charging || battery.percentage >= LOW_BATTERY) return [];
  return [{ mark: "noted", say: "batteryLow", value: battery.percentage }];
}
