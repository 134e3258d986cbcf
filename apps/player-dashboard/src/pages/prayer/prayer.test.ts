import type { BatteryBody } from "@player/service/contract/power";
import type { PrayerBody } from "@player/service/contract/prayer";
import type { SettingsBody } from "@player/service/contract/settings";
import { describe, expect, it } from "vitest";
import { createConfigDraft } from "../../app/prayer/config-draft.ts";
import { dateWords, daysBetween, hijriSpan, monthAway, tableTime } from "../../app/prayer/month.ts";
import {
  canBeCalled,
  hasCalls,
  isCalled,
  mergeConfig,
  mergeRequests,
  withCall,
  withOffset,
} from "../../app/prayer/prayers.ts";
import { type TrustInput, trustPoints, verdictOf } from "../../app/prayer/trust.ts";
import { kaabaKm, windOf } from "./qibla.ts";

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
    adhan: { enabled: true, prayer_mask: 61, volume: 0, path: "", fajr_path: "" },
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
  prayer: PRAYER,
  settings: SETTINGS,
  battery: undefined,
  volume: 50,
  browserRule: "<+03>-3",
};

const adhanOf = (change: Partial<PrayerBody["config"]["adhan"]>): Partial<TrustInput> => ({
  prayer: { ...PRAYER, config: mergeConfig(PRAYER.config, { adhan: change }) },
});
const settingsOf = (change: Partial<SettingsBody>): Partial<TrustInput> => ({ settings: { ...SETTINGS, ...change } });
const sayings = (change: Partial<TrustInput>) => trustPoints({ ...ALL_WELL, ...change }).map(({ say }) => say);
const verdict = (change: Partial<TrustInput>) => verdictOf(trustPoints({ ...ALL_WELL, ...change }));

describe("the trust panel", () => {
  it("is content when all is well", () => {
    expect(sayings({})).toEqual(["adhanOn", "clockServer", "zoneSame", "fileTone", "volumeGood"]);
    expect(verdict({})).toBe("good");
  });

  it.each([
    ["the adhan is off", adhanOf({ enabled: false }), "adhanOff", "bad"],
    ["only Sunrise is chosen", adhanOf({ prayer_mask: 0b10 }), "noneChosen", "bad"],
    ["there is no place", { prayer: { ...PRAYER, configured: false } }, "noPlace", "bad"],
    ["the clock is not valid", { prayer: { ...PRAYER, clock_ok: false } }, "clockNone", "bad"],
    ["the clock was set by hand", settingsOf({ time_source: "manual" }), "clockHand", "noted"],
    ["the clock chip has the time", settingsOf({ time_source: "rtc" }), "clockChip", "good"],
    ["the phone lives in another zone", { browserRule: "UTC0" }, "zoneOther", "noted"],
    [
      "the file is gone",
      { prayer: { ...PRAYER, extra: { ...PRAYER.extra, adhan_file_ok: false } } },
      "fileMissing",
      "noted",
    ],
    ["a file is there", adhanOf({ path: "a.mp3" }), "fileThere", "good"],
    ["the player is silent", { volume: 0 }, "volumeZero", "bad"],
    ["the player is silent but the adhan is not", { volume: 0, ...adhanOf({ volume: 60 }) }, "volumeGood", "good"],
    ["the volume is capped at nothing", settingsOf({ max_volume: 0 }), "volumeZero", "bad"],
    ["it would hardly be heard", adhanOf({ volume: 5 }), "volumeLow", "noted"],
    ["the player goes to sleep", settingsOf({ auto_off_minutes: 30 }), "sleeps", "noted"],
    ["a chip wakes it", settingsOf({ auto_off_minutes: 30, rtc_temperature: 20 }), "sleepsAndWakes", "good"],
    ["the battery is low", { battery: BATTERY }, "batteryLow", "noted"],
  ] as const)("says so when %s", (_, change, say, answer) => {
    expect(sayings(change)).toContain(say);
    expect(verdict(change)).toBe(answer);
  });

  it("leaves out what does not matter", () => {
    expect(sayings({ battery: { ...BATTERY, charging: true }, browserRule: undefined })).toEqual([
      "adhanOn",
      "clockServer",
      "fileTone",
      "volumeGood",
    ]);
  });
});

describe("the mask", () => {
  it("never calls at sunrise", () => {
    expect(canBeCalled(1)).toBe(false);
    expect(isCalled(63, 1)).toBe(false);
    expect(hasCalls(2)).toBe(false);
  });

  it("takes one prayer in and out", () => {
    expect(withCall(0b111101, 0, false)).toBe(0b111100);
    expect(withCall(0, 5, true)).toBe(0b100000);
    expect(isCalled(0b100000, 5)).toBe(true);
  });

  it("moves one prayer alone", () => {
    expect(withOffset([0, 0, 0, 0, 0, 0], 3, -5)).toEqual([0, 0, 0, -5, 0, 0]);
  });
});

describe("changes of the configuration", () => {
  it("go together, the later one wins", () => {
    expect(mergeRequests({ method: 1, adhan: { volume: 5 } }, { method: 2, adhan: { enabled: true } })).toEqual({
      method: 2,
      adhan: { volume: 5, enabled: true },
    });
    expect(mergeRequests({}, { asr_hanafi: true })).toEqual({ asr_hanafi: true });
  });

  function drafted(isTaken: boolean) {
    const tasks: (() => void)[] = [];
    const sent: unknown[] = [];
    const draft = createConfigDraft({
      send: (request) => {
        sent.push(request);
        return Promise.resolve(isTaken);
      },
      after: (_, task) => {
        tasks.push(task);
        return () => undefined;
      },
    });
    const answer = () => new Promise<void>((resolve) => setImmediate(resolve));
    const pass = () => {
      for (const task of tasks.splice(0)) task();
    };
    return { draft, sent, answer, pass };
  }

  it("are shown at once and sent in one request per gap", async () => {
    const { draft, sent, answer, pass } = drafted(true);
    draft.change({ method: 1 });
    draft.change({ method: 2 });
    draft.change({ asr_hanafi: true });
    expect(draft.pending.value).toEqual({ method: 2, asr_hanafi: true });
    expect(sent).toEqual([{ method: 1 }]);
    await answer();
    pass();
    expect(sent).toEqual([{ method: 1 }, { method: 2, asr_hanafi: true }]);
    await answer();
    pass();
    expect(draft.pending.value).toEqual({});
  });

  it("are taken back when the device refuses", async () => {
    const { draft, answer } = drafted(false);
    draft.change({ method: 1 });
    await answer();
    expect(draft.pending.value).toEqual({});
  });
});

describe("the month", () => {
  it.each([
    ["2026-11", 1, "2026-12"],
    ["2026-12", 1, "2027-01"],
    ["2026-01", -1, "2025-12"],
    ["2000-01", -1, undefined],
    ["2099-12", 1, undefined],
  ])("of %s, %i away, is %s", (month, distance, other) => {
    expect(monthAway(month, distance)).toBe(other);
  });

  it("has its name in both languages", () => {
    expect(dateWords("2026-11-01", { month: "long", year: "numeric" }, "en")).toBe("November 2026");
    expect(dateWords("2026-11-01", { month: "long", year: "numeric" }, "ar")).toBe("نوفمبر ٢٠٢٦");
    expect(dateWords("2026-11-15", { weekday: "short" }, "en")).toBe("Sun");
  });

  it("counts days across months", () => {
    expect(daysBetween("2026-10-31", "2026-11-01")).toBe(1);
    expect(daysBetween("2026-11-15", "2026-11-15")).toBe(0);
  });

  it("leaves AM and PM out of the table", () => {
    expect(tableTime("17:05", false)).toBe("5:05");
    expect(tableTime("00:05", false)).toBe("12:05");
    expect(tableTime("05:05", true)).toBe("05:05");
  });

  it("knows which Hijri months it has parts of", () => {
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

describe("the Qibla", () => {
  it.each([
    [0, 0],
    [22, 0],
    [23, 1],
    [160.79, 4],
    [119, 3],
    [359, 0],
  ])("at %d° lies with wind %i", (degrees, wind) => {
    expect(windOf(degrees)).toBe(wind);
  });

  it("knows how far Mecca is from London", () => {
    expect(kaabaKm({ lat: 51.51, lng: -0.13 })).toBeCloseTo(4792, -2);
  });
});
