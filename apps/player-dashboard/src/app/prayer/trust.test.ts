import type { BatteryBody } from "@player/service/contract/power";
import type { PrayerBody } from "@player/service/contract/prayer";
import type { SettingsBody } from "@player/service/contract/settings";
import { describe, expect, it } from "vitest";
import { mergeConfig } from "./prayers.ts";
import { isOnlyTone, type TrustInput, trustPoints, verdictOf } from "./trust.ts";

const PRAYER: PrayerBody = {
  configured: true,
  date: "2026-11-15",
  timezone: "<+03>-3",
  clock_ok: true,
  times: { fajr: "05:40", sunrise: "07:05", dhuhr: "12:22", asr: "15:16", maghrib: "17:37", isha: "18:56" },
  epochs: [1, 2, 3, 4, 5, 6],
  next: null,
  current: null,
  hijri: { year: 1448, month: 6, day: 4, month_name: "", month_name_ar: "", adjust: 0 },
  config: {
    method: 0,
    asr_hanafi: false,
    offsets_min: [0, 0, 0, 0, 0, 0],
    adhan: { enabled: true, prayer_mask: 61, volume: 0, path: "a.mp3", fajr_path: "" },
  },
  extra: {
    imsak: null,
    midnight: null,
    last_third: null,
    qibla_deg: null,
    high_latitude_rule: null,
    high_latitude_applied: false,
    upcoming: [],
    adhan_file_ok: true,
    adhan_sound: "recording",
    next_prayer: null,
  },
};
const SETTINGS: SettingsBody = {
  ssid: "",
  wifi_connected: false,
  ip: "",
  hostname: "manara",
  time: 0,
  time_synced: true,
  time_source: "sntp",
  brightness: 200,
  timezone: "<+03>-3",
  time_format_24h: true,
  auto_resume: false,
  auto_off_minutes: 0,
  card_removal: "continue",
  volume: 50,
  max_volume: 100,
  device_name: "Manara",
  language: "en",
  high_latitude: "auto",
  hijri_adjust: 0,
  after_adhan: "resume",
  stream_retry_min: 30,
  allow_private_streams: false,
};
const BATTERY: BatteryBody = { present: true, voltage: 3.4, percentage: 9, charging: false };
const ALL_WELL: TrustInput = {
  sound: "works",
  prayer: PRAYER,
  settings: SETTINGS,
  battery: undefined,
  volume: 50,
  browserRule: "<+03>-3",
};

const withAdhan = (change: Partial<PrayerBody["config"]["adhan"]>): Partial<TrustInput> => ({
  prayer: { ...PRAYER, config: mergeConfig(PRAYER.config, { adhan: change }) },
});
const withSettings = (change: Partial<SettingsBody>): Partial<TrustInput> => ({ settings: { ...SETTINGS, ...change } });
const sayings = (change: Partial<TrustInput>) => trustPoints({ ...ALL_WELL, ...change }).map(({ say }) => say);
const verdict = (change: Partial<TrustInput>) => verdictOf(trustPoints({ ...ALL_WELL, ...change }));

describe("the trust panel", () => {
  it("reports no problem when all conditions are met", () => {
    expect(sayings({})).toEqual(["soundWorks", "adhanOn", "clockServer", "zoneSame", "fileThere", "volumeGood"]);
    expect(verdict({})).toBe("good");
  });

  it.each([
    ["the sound output did not start", { sound: "failed" }, "soundFailed", "bad"],
    ["the sound output could not be checked", { sound: "unknown" }, "soundUnknown", "noted"],
    ["the adhan is off", withAdhan({ enabled: false }), "adhanOff", "bad"],
    ["only Sunrise is chosen", withAdhan({ prayer_mask: 0b10 }), "noneChosen", "bad"],
    ["no place is set", { prayer: { ...PRAYER, configured: false } }, "noPlace", "bad"],
    ["the clock is not valid", { prayer: { ...PRAYER, clock_ok: false } }, "clockNone", "bad"],
    ["the clock was set by hand", withSettings({ time_source: "manual" }), "clockHand", "noted"],
    ["the clock chip has the time", withSettings({ time_source: "rtc" }), "clockChip", "good"],
    ["the phone lives in another zone", { browserRule: "UTC0" }, "zoneOther", "noted"],
    [
      "the file is missing",
      { prayer: { ...PRAYER, extra: { ...PRAYER.extra, adhan_file_ok: false } } },
      "fileMissing",
      "noted",
    ],
    ["no recording is chosen", withAdhan({ path: "" }), "fileTone", "noted"],
    ["only Fajr has a recording", withAdhan({ path: "", fajr_path: "fajr.mp3" }), "fileToneOthers", "noted"],
    [
      "the only prayer with an adhan has a recording",
      withAdhan({ path: "", fajr_path: "fajr.mp3", prayer_mask: 1 }),
      "fileThere",
      "good",
    ],
    ["the player is silent", { volume: 0 }, "volumeZero", "bad"],
    ["the player is silent but the adhan is not", { volume: 0, ...withAdhan({ volume: 60 }) }, "volumeGood", "good"],
    ["the volume is capped at nothing", withSettings({ max_volume: 0 }), "volumeZero", "bad"],
    ["the volume is very low", withAdhan({ volume: 5 }), "volumeLow", "noted"],
    ["the player goes to sleep", withSettings({ auto_off_minutes: 30 }), "sleeps", "noted"],
    ["a chip wakes it", withSettings({ auto_off_minutes: 30, rtc_temperature: 20 }), "sleepsAndWakes", "good"],
    ["the battery is low", { battery: BATTERY }, "batteryLow", "noted"],
  ] as const)("reports a problem when %s", (_, change, say, answer) => {
    expect(sayings(change)).toContain(say);
    expect(verdict(change)).toBe(answer);
  });

  it("checks the sound output before anything else", () => {
    expect(sayings({ sound: "failed", ...withAdhan({ enabled: false }) })[0]).toBe("soundFailed");
  });

  it.each([
    ["without a recording", withAdhan({ path: "" })],
    ["with a missing one", { prayer: { ...PRAYER, extra: { ...PRAYER.extra, adhan_file_ok: false } } }],
  ])("knows that only the tone will sound %s", (_, change) => {
    expect(isOnlyTone(trustPoints({ ...ALL_WELL, ...change }))).toBe(true);
    expect(isOnlyTone(trustPoints(ALL_WELL))).toBe(false);
  });

  it("omits points that do not apply", () => {
    expect(sayings({ battery: { ...BATTERY, charging: true }, browserRule: undefined })).toEqual([
      "soundWorks",
      "adhanOn",
      "clockServer",
      "fileThere",
      "volumeGood",
    ]);
  });
});
