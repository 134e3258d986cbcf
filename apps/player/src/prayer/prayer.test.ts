import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { invalidField } from "@kit/problem";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createSettingsStore } from "../settings/settings.store.ts";
import { openDatabase } from "../storage/database.ts";
import { parseZone } from "../time/zone.ts";
import { prayerRoutes } from "./prayer.routes.ts";
import type { PrayerBody, PrayerConfig } from "./prayer.schema.ts";
import { createPrayerService } from "./prayer.service.ts";

const DEFAULTS: PrayerConfig = {
  method: 0,
  asr_hanafi: false,
  offsets_min: [0, 0, 0, 0, 0, 0],
  adhan: { enabled: false, prayer_mask: 61, volume: 0, path: "", fajr_path: "" },
};
const MECCA = { lat: 21.427009, lng: 39.828685, method: 3 };
const OSLO = { lat: 59.91, lng: 10.75 };
const OSLO_TIME = "CET-1CEST,M3.5.0,M10.5.0/3";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface World {
  now?: string;
  rule?: string;
}

async function setUp({ now = "2016-02-04T00:00:00+03:00", rule = "<+03>-3" }: World = {}) {
  const folder = await mkdtemp(join(tmpdir(), "prayer-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clock = createFakeClock(new Date(now));
  const { database } = openDatabase(folder, clock);
  const world = {
    rule,
    isValid: true,
    settings: { high_latitude: "auto" as "auto" | "twilight_angle", hijri_adjust: 0, volume: 50 },
    files: new Set(["adhan/mecca.mp3"]),
    called: new Set<string>(),
    card: Promise.resolve(),
    clockListeners: new Set<() => void>(),
    settingsListeners: new Set<() => void>(),
    cardListeners: new Set<(change: "inserted" | "pulled") => void>(),
  };
  const listenIn =
    <Listener>(listeners: Set<Listener>) =>
    (listener: Listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
  const zone = () => parseZone(world.rule);
  const localNow = () => new Date(clock.now().getTime() + zone().offsetAt(clock.now().getTime() / 1000) * 1000);
  const emitted: { type: string; data: PrayerBody }[] = [];
  const warnings: object[] = [];
  const start = () =>
    createPrayerService({
      store: createSettingsStore(database),
      time: {
        now: () => clock.now().getTime(),
        isValid: () => world.isValid,
        zone,
        today: () => localNow().toISOString().slice(0, 10),
        onChange: listenIn(world.clockListeners),
      },
      settings: { get: () => world.settings, onChange: listenIn(world.settingsListeners) },
      library: {
        resolve: async (path) => {
          if (!world.files.has(path)) throw invalidField("path", "there is no such file or folder on the card");
          return { absolute: `/card/${path}`, path, reciter: "", surah: 0 };
        },
        onCard: listenIn(world.cardListeners),
      },
      called: { has: ({ date, prayer }) => world.called.has(`${date} ${prayer}`) },
      resolvePath: async (path) => {
        await world.card;
        if (path.includes("..")) throw invalidField("path", "must lie inside the card");
        return path.replace(/^\/card\//, "").replace(/^\.\/?/, "");
      },
      events: { emit: (type, data) => emitted.push({ type, data }) },
      clock,
      log: { ...silentLog, warn: (fields: object) => warnings.push(fields) },
    });
  const prayer = start();
  onTestFinished(() => prayer.close());
  const app = createTestFrame();
  await app.register(prayerRoutes(prayer), { prefix: "/api" });
  const post = (payload: unknown) =>
    app.inject({ method: "POST", url: "/api/prayer/config", payload: JSON.stringify(payload) });
  const get = async (): Promise<PrayerBody> => (await app.inject("/api/prayer")).json();
  return { app, clock, database, emitted, get, post, prayer, restart: start, warnings, world };
}

function parseEpoch(instant: string): number {
  return Date.parse(instant) / 1000;
}

describe("GET /prayer", () => {
  it("returns the date and the Hijri date, and no times without a location", async () => {
    const { get } = await setUp();
    expect(await get()).toEqual({
      configured: false,
      date: "2016-02-04",
      timezone: "<+03>-3",
      clock_ok: true,
      times: null,
      epochs: null,
      next: null,
      current: null,
      hijri: { year: 1437, month: 4, day: 24, month_name: "Rabi al-Akhir", month_name_ar: "ربيع الآخر", adjust: 0 },
      config: DEFAULTS,
      extra: {
        next_prayer: null,
        imsak: null,
        midnight: null,
        last_third: null,
        qibla_deg: null,
        high_latitude_rule: null,
        high_latitude_applied: false,
        upcoming: [],
        adhan_file_ok: true,
        adhan_sound: "tone",
      },
    });
  });

  // Times of the library's own test data (Times/Makkah-UmmAlQura.json).
  it("returns the times of today and the values derived from them", async () => {
    const { get, post, world } = await setUp({ now: "2016-02-04T12:00:00.250+03:00" });
    world.isValid = false;
    await post(MECCA);
    const { times, epochs, next, current, configured, clock_ok, config, extra } = await get();
    expect({ configured, clock_ok, current }).toEqual({ configured: true, clock_ok: false, current: "sunrise" });
    expect(times).toEqual({
      fajr: "05:39",
      sunrise: "06:57",
      dhuhr: "12:35",
      asr: "15:48",
      maghrib: "18:12",
      isha: "19:42",
    });
    expect(epochs).toEqual(
      ["05:39", "06:57", "12:35", "15:48", "18:12", "19:42"].map((time) => parseEpoch(`2016-02-04T${time}:00+03:00`)),
    );
    expect(next).toEqual({
      name: "dhuhr",
      index: 2,
      time: "12:35",
      epoch: parseEpoch("2016-02-04T12:35:00+03:00"),
      countdown_s: 35 * 60,
      tomorrow: false,
    });
    expect(config).toEqual({ ...DEFAULTS, ...MECCA });
    expect(extra).toMatchObject({ imsak: "05:29", high_latitude_rule: "middle_of_the_night", upcoming: [] });
  });

  it.each([
    ["2016-02-04T05:38:59+03:00", "isha", "fajr", "2016-02-04T05:39:00+03:00", 1, false],
    ["2016-02-04T05:39:00+03:00", "fajr", "sunrise", "2016-02-04T06:57:00+03:00", 78 * 60, false],
    ["2016-02-04T18:12:00+03:00", "maghrib", "isha", "2016-02-04T19:42:00+03:00", 90 * 60, false],
    ["2016-02-04T19:42:00+03:00", "isha", "fajr", "2016-02-05T05:39:00+03:00", (9 * 60 + 57) * 60, true],
  ])(
    "returns at %s that it is %s, and that %s comes next",
    async (now, current, name, instant, countdown_s, tomorrow) => {
      const { get, post } = await setUp({ now });
      await post(MECCA);
      const body = await get();
      expect(body.current).toBe(current);
      expect(body.next).toMatchObject({ name, epoch: parseEpoch(instant), countdown_s, tomorrow });
    },
  );

  it("returns after midnight that yesterday's Isha is still to come", async () => {
    const { get, post, world } = await setUp({ now: "2026-06-22T00:00:30+02:00", rule: OSLO_TIME });
    world.settings.high_latitude = "twilight_angle";
    await post(OSLO);
    const { date, current, next, epochs } = await get();
    expect(date).toBe("2026-06-22");
    expect(current).toBe("maghrib");
    expect(next).toMatchObject({ name: "isha", index: 5, tomorrow: false });
    expect(next?.epoch).toBeLessThan(epochs?.[0] ?? 0);
  });

  it("adds up to twelve hours to a prayer, as the two hours to Isha in Ramadan", async () => {
    const { get, post, prayer } = await setUp();
    await post({ ...MECCA, offsets_min: [-720, 0, 0, 0, 0, 120] });
    expect((await get()).config.offsets_min).toEqual([-720, 0, 0, 0, 0, 120]);
    expect(prayer.config().offsets_min).toEqual([-720, 0, 0, 0, 0, 120]);
  });

  it("divides the night from Maghrib to the next Fajr", async () => {
    const { get, post, prayer } = await setUp();
    await post({ ...MECCA, offsets_min: [0, 0, 0, 0, 48, 0] });
    // From 19:00 to 05:39 are ten hours and 39 minutes.
    expect(prayer.month("2016-02").days[4]?.times.fajr).toBe("05:39");
    expect((await get()).extra).toMatchObject({ midnight: "00:20", last_third: "02:06" });
  });

  // tests/test_qiblah.py of abougouffa/pyIslam: 295° 8′ 39″.
  it("computes the direction from Jakarta to Mecca", async () => {
    const { get, post } = await setUp();
    await post({ lat: -6.18233995, lng: 106.84287154 });
    expect((await get()).extra.qibla_deg).toBeCloseTo(295 + 8 / 60 + 39 / 3600, 1);
  });

  it("moves the Hijri date by the owner's setting, and uses the rule that the owner chose", async () => {
    const { get, post, world } = await setUp({ now: "2026-06-21T12:00:00Z", rule: "UTC0" });
    await post({ lat: 69.65, lng: 18.96 });
    const before = await get();
    expect(before.extra).toMatchObject({ high_latitude_rule: "seventh_of_the_night", high_latitude_applied: true });
    world.settings = { ...world.settings, high_latitude: "twilight_angle", hijri_adjust: -2 };
    const after = await get();
    expect(after.extra).toMatchObject({ high_latitude_rule: "twilight_angle", high_latitude_applied: true });
    expect(after.hijri).toMatchObject({ day: before.hijri.day - 2, adjust: -2 });
    expect(after.times).not.toEqual(before.times);
  });

  it("lists the next three enabled adhans", async () => {
    const { get, post } = await setUp({ now: "2016-02-04T15:48:00+03:00" });
    await post({ ...MECCA, adhan: { enabled: true } });
    const named = async () => (await get()).extra.upcoming.map(({ name, date, time }) => `${name} ${date} ${time}`);
    expect(await named()).toEqual(["maghrib 2016-02-04 18:12", "isha 2016-02-04 19:42", "fajr 2016-02-05 05:39"]);
    await post({ adhan: { prayer_mask: 0b000110 } });
    expect((await named()).map((line) => line.slice(0, 16))).toEqual([
      "dhuhr 2016-02-05",
      "dhuhr 2016-02-06",
      "dhuhr 2016-02-07",
    ]);
    await post({ adhan: { prayer_mask: 0b000010 } });
    expect(await named()).toEqual([]);
    await post({ adhan: { enabled: false, prayer_mask: 63 } });
    expect(await named()).toEqual([]);
  });

  it("omits from the next adhans one that was already called, because the clock was set back", async () => {
    const { get, post, world } = await setUp({ now: "2016-02-04T18:11:30+03:00" });
    await post({ ...MECCA, adhan: { enabled: true } });
    world.called.add("2016-02-04 maghrib");
    expect((await get()).extra.upcoming.map(({ name }) => name)).toEqual(["isha", "fajr", "dhuhr"]);
  });

  it("reports for each adhan whether a recording or only the tone sounds", async () => {
    const { get, post, world } = await setUp({ now: "2016-02-04T18:12:00+03:00" });
    const sounds = async () => {
      const { upcoming, adhan_sound } = (await get()).extra;
      return [...upcoming.map(({ name, sound }) => `${name} ${sound}`), adhan_sound];
    };
    await post({ ...MECCA, adhan: { enabled: true } });
    expect(await sounds()).toEqual(["isha tone", "fajr tone", "dhuhr tone", "tone"]);
    await post({ adhan: { path: "adhan/mecca.mp3", fajr_path: "adhan/fajr.mp3" } });
    expect(await sounds()).toEqual(["isha recording", "fajr tone", "dhuhr recording", "recording"]);
    world.files = new Set(["adhan/fajr.mp3"]);
    expect(await sounds()).toEqual(["isha tone", "fajr recording", "dhuhr tone", "tone"]);
    await post({ adhan: { enabled: false } });
    expect(await sounds()).toEqual(["tone"]);
    world.files.add("adhan/mecca.mp3");
    expect(await sounds()).toEqual(["recording"]);
  });

  it("names the next prayer, which is never Sunrise", async () => {
    const { get, post } = await setUp({ now: "2016-02-04T05:39:00+03:00" });
    await post(MECCA);
    const { next, extra } = await get();
    expect(next?.name).toBe("sunrise");
    expect(extra.next_prayer).toMatchObject({ name: "dhuhr", index: 2, time: "12:35", tomorrow: false });
  });

  it.each([
    ["the next time of the day", "2016-02-04T13:00:00+03:00", "asr", false],
    ["tomorrow's Fajr after Isha", "2016-02-04T22:00:00+03:00", "fajr", true],
  ])("names the next prayer, which is otherwise %s", async (_, now, name, tomorrow) => {
    const { get, post } = await setUp({ now });
    await post(MECCA);
    const { next, extra } = await get();
    expect(extra.next_prayer).toEqual(next);
    expect(next).toMatchObject({ name, tomorrow });
  });

  it("returns whether the adhan files are on the card now", async () => {
    const { get, post, world } = await setUp();
    const isOk = async () => (await get()).extra.adhan_file_ok;
    await post({ adhan: { path: "adhan/mecca.mp3" } });
    expect(await isOk()).toBe(true);
    await post({ adhan: { fajr_path: "adhan/fajr.mp3" } });
    expect(await isOk()).toBe(false);
    world.files.add("adhan/fajr.mp3");
    expect(await isOk()).toBe(true);
    world.files.clear();
    expect(await isOk()).toBe(false);
    await post({ adhan: { path: "", fajr_path: "" } });
    expect(await isOk()).toBe(true);
  });
});

describe("POST /prayer/config", () => {
  it("merges into the stored configuration, returns all of it, notifies every client and survives a restart", async () => {
    const { post, emitted, restart } = await setUp();
    await post(MECCA);
    const answered = await post({ asr_hanafi: true, adhan: { enabled: true, volume: 80 }, latitude: 1 });
    const config = { ...DEFAULTS, ...MECCA, asr_hanafi: true, adhan: { ...DEFAULTS.adhan, enabled: true, volume: 80 } };
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toMatchObject({ success: true, configured: true, config });
    const offsets_min = [1, 2, 3, 4, 5, 6];
    await post({ offsets_min, adhan: { path: "/card/adhan/mecca.mp3", prayer_mask: 1 } });
    const last = { ...config, offsets_min, adhan: { ...config.adhan, path: "adhan/mecca.mp3", prayer_mask: 1 } };
    expect(emitted.map(({ type }) => type)).toEqual(["prayer", "prayer", "prayer"]);
    expect(emitted[2]?.data.config).toEqual(last);
    expect(restart().config()).toEqual(last);
  });

  it("accepts the configuration that it returned", async () => {
    const { get, post } = await setUp();
    const { config } = await get();
    expect((await post(config)).json().config).toEqual(config);
  });

  it("loses nothing when another change arrives while the card is slow", async () => {
    const { prayer, world } = await setUp();
    let answer = (): void => undefined;
    world.card = new Promise((resolve) => {
      answer = resolve;
    });
    const slow = prayer.configure({ adhan: { path: "a.mp3" } });
    await prayer.configure({ ...MECCA, adhan: { volume: 70 } });
    answer();
    await slow;
    expect(prayer.config()).toMatchObject({ ...MECCA, adhan: { path: "a.mp3", volume: 70 } });
  });

  it("changes nothing and reports it when the configuration cannot be saved", async () => {
    const { database, post, prayer, emitted } = await setUp();
    database.command("PRAGMA query_only = ON")();
    const refused = await post(MECCA);
    expect(refused.statusCode).toBe(500);
    expect(refused.json().error).toMatch(/^storage: /);
    expect(prayer.config()).toEqual(DEFAULTS);
    expect(emitted).toEqual([]);
  });

  it.each([
    [{}, "body: must have at least one of lat, lng, method, asr_hanafi, offsets_min, adhan"],
    [{ latitude: 21 }, "body: must have at least one of lat, lng, method, asr_hanafi, offsets_min, adhan"],
    [[], "body: must be an object"],
    [{ lat: 21 }, "lng: must come with lat"],
    [{ lng: 39, method: 1 }, "lat: must come with lng"],
    [{ lat: 90.01, lng: 0 }, "lat: must be a number from -90 to 90"],
    [{ lat: 0, lng: -180.5 }, "lng: must be a number from -180 to 180"],
    [{ lat: "21", lng: 39 }, "lat: must be a number from -90 to 90"],
    [{ lat: null, lng: null }, "body: must have at least one of lat, lng, method, asr_hanafi, offsets_min, adhan"],
    [{ method: 5 }, "method: must be an integer from 0 to 4"],
    [{ method: -1 }, "method: must be an integer from 0 to 4"],
    [{ asr_hanafi: 1 }, "asr_hanafi: must be true or false"],
    [{ offsets_min: [0, 0, 0, 0, 0] }, "offsets_min: must be a list of 6 to 6 items"],
    [{ offsets_min: [0, 0, 0, 0, 0, 721] }, "offsets_min.5: must be an integer from -720 to 720"],
    [{ offsets_min: [-721, 0, 0, 0, 0, 0] }, "offsets_min.0: must be an integer from -720 to 720"],
    [{ offsets_min: [0, 0.5, 0, 0, 0, 0] }, "offsets_min.1: must be an integer from -720 to 720"],
    [{ adhan: { enabled: "yes" } }, "adhan.enabled: must be true or false"],
    [{ adhan: { prayer_mask: 64 } }, "adhan.prayer_mask: must be an integer from 0 to 63"],
    [{ adhan: { volume: 101 } }, "adhan.volume: must be an integer from 0 to 100"],
    [{ adhan: { path: "../token" } }, "adhan.path: must lie inside the card"],
    [{ adhan: { path: "a.mp3", fajr_path: "../token" } }, "adhan.fajr_path: must lie inside the card"],
    [{ adhan: { path: "./" } }, "adhan.path: must be the path of a file"],
    [{ adhan: true }, "adhan: must be an object"],
  ])("refuses %j with 400 and the reason", async (body, error) => {
    const { post, prayer, emitted } = await setUp();
    const refused = await post(body);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toEqual({ error });
    expect(prayer.config()).toEqual(DEFAULTS);
    expect(emitted).toEqual([]);
  });
});

describe("the stored configuration", () => {
  it.each([["not JSON"], ['{"method":9}'], ['"text"'], ["null"]])(
    "the stored configuration is replaced by the defaults when it is %s, and logged",
    async (text) => {
      const { database, restart, warnings } = await setUp();
      database.command("INSERT INTO settings (name, value) VALUES ('prayer', ?)")(text);
      expect(restart().config()).toEqual(DEFAULTS);
      expect(warnings).toEqual([{ setting: "prayer" }]);
    },
  );

  it("the stored configuration may have been written by an earlier or a later version", async () => {
    const { database, restart, warnings } = await setUp();
    const stored = { ...MECCA, moon: "sighted", adhan: { enabled: true, reminder_min: 5 } };
    database.command("INSERT INTO settings (name, value) VALUES ('prayer', ?)")(JSON.stringify(stored));
    const { adhan, ...rest } = DEFAULTS;
    expect(restart().config()).toEqual({ ...rest, ...MECCA, adhan: { ...adhan, enabled: true } });
    expect(warnings).toEqual([]);
  });

  it("the stored configuration is read again after the store was changed", async () => {
    const { database, prayer, emitted, post } = await setUp();
    await post(MECCA);
    database.command("DELETE FROM settings")();
    prayer.reload();
    expect(prayer.config()).toEqual(DEFAULTS);
    expect(emitted.at(-1)?.data.configured).toBe(false);
  });
});

describe("GET /prayer/month", () => {
  it("returns every day of the month, each with its Hijri date", async () => {
    const { app, post } = await setUp();
    await post(MECCA);
    const { days, ...rest } = (await app.inject("/api/prayer/month?month=2016-02")).json();
    expect(rest).toEqual({ month: "2016-02", configured: true, timezone: "<+03>-3" });
    expect(days).toHaveLength(29);
    expect(days[3]).toEqual({
      date: "2016-02-04",
      times: { fajr: "05:39", sunrise: "06:57", dhuhr: "12:35", asr: "15:48", maghrib: "18:12", isha: "19:42" },
      epochs: ["05:39", "06:57", "12:35", "15:48", "18:12", "19:42"].map((time) =>
        parseEpoch(`2016-02-04T${time}:00+03:00`),
      ),
      hijri: { year: 1437, month: 4, day: 24 },
    });
  });

  it("has no days without a location", async () => {
    const { app } = await setUp();
    const { configured, days } = (await app.inject("/api/prayer/month?month=2026-11")).json();
    expect({ configured, days }).toEqual({ configured: false, days: [] });
  });

  it.each([
    ["", "month: is required"],
    ["?month=2026-13", "month: must be a month such as 2026-11, from 2000 to 2099"],
    ["?month=2026-1", "month: must be a month such as 2026-11, from 2000 to 2099"],
    ["?month=1999-12", "month: must be a month such as 2026-11, from 2000 to 2099"],
    ["?month=2026-11-01", "month: must be a month such as 2026-11, from 2000 to 2099"],
  ])("refuses '%s' with 400", async (query, error) => {
    const { app } = await setUp();
    const refused = await app.inject(`/api/prayer/month${query}`);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toEqual({ error });
  });
});

describe("the running service", () => {
  it("notifies of each prayer and each new date at its second, and of nothing else", async () => {
    const { clock, post, prayer, emitted } = await setUp({ now: "2016-02-04T15:00:00+03:00" });
    await post(MECCA);
    prayer.start();
    const notified: string[] = [];
    prayer.onChange(() => notified.push(new Date(clock.now().getTime() + 3 * HOUR).toISOString().slice(8, 19)));
    await clock.advance(15 * HOUR);
    expect(notified).toEqual(["04T15:48:00", "04T18:12:00", "04T19:42:00", "05T00:00:00", "05T05:39:00"]);
    expect(emitted.slice(1).map(({ data }) => `${data.date} ${data.current} ${data.next?.name}`)).toEqual([
      "2016-02-04 asr maghrib",
      "2016-02-04 maghrib isha",
      "2016-02-04 isha fajr",
      "2016-02-05 isha fajr",
      "2016-02-05 fajr sunrise",
    ]);
  });

  it("notifies of a new date at its first second, also without a location", async () => {
    const { clock, prayer } = await setUp({ now: "2016-02-04T23:58:17+03:00" });
    prayer.start();
    const notified: string[] = [];
    prayer.onChange(() => notified.push(clock.now().toISOString()));
    await clock.advance(HOUR);
    expect(notified).toEqual(["2016-02-04T21:00:00.000Z"]);
  });

  it("notices a new date within a minute when daylight saving time has shortened the day", async () => {
    const world = { now: "2026-03-08T01:00:00-05:00", rule: "EST5EDT,M3.2.0,M11.1.0" };
    const { clock, prayer, emitted } = await setUp(world);
    prayer.start();
    await clock.advance(22 * HOUR - 1);
    expect(emitted).toEqual([]);
    await clock.advance(MINUTE);
    expect(emitted.map(({ data }) => data.date)).toEqual(["2026-03-09"]);
  });

  it("notifies when the clock or the zone has changed, and plans again", async () => {
    const { clock, post, prayer, world, emitted } = await setUp({ now: "2016-02-04T10:00:00+03:00" });
    await post(MECCA);
    prayer.start();
    clock.jumpTo(new Date("2016-02-04T12:34:59+03:00"));
    for (const listener of world.clockListeners) listener();
    await clock.advance(1000);
    expect(emitted.slice(1).map(({ data }) => data.current)).toEqual(["sunrise", "dhuhr"]);
  });

  it("notifies when a relevant setting has changed, and not when another one has", async () => {
    const { prayer, world, emitted } = await setUp();
    prayer.start();
    const change = (part: Partial<typeof world.settings>) => {
      world.settings = { ...world.settings, ...part };
      for (const listener of world.settingsListeners) listener();
    };
    change({ volume: 51 });
    expect(emitted).toEqual([]);
    change({ hijri_adjust: 1 });
    change({ high_latitude: "twilight_angle" });
    expect(emitted.map(({ data }) => data.hijri.adjust)).toEqual([1, 1]);
  });

  it("notifies when the card with the adhan is removed", async () => {
    const { clock, post, prayer, world, emitted } = await setUp();
    await post({ adhan: { path: "adhan/mecca.mp3" } });
    prayer.start();
    world.files.clear();
    for (const listener of world.cardListeners) listener("pulled");
    await clock.advance(0);
    expect(emitted.map(({ data }) => data.extra.adhan_file_ok)).toEqual([true, false]);
  });

  it("starts once, and has no listeners after it was closed", async () => {
    const { clock, post, prayer, world, emitted } = await setUp({ now: "2016-02-04T15:47:59+03:00" });
    await post(MECCA);
    prayer.start();
    prayer.start();
    prayer.close();
    prayer.close();
    await clock.advance(HOUR);
    expect([world.clockListeners, world.settingsListeners, world.cardListeners].map(({ size }) => size)).toEqual([
      0, 0, 0,
    ]);
    expect(emitted).toHaveLength(1);
  });

  it("provides the days around now for the adhan", async () => {
    const { post, prayer } = await setUp();
    expect(prayer.days()).toBeUndefined();
    await post(MECCA);
    const days = prayer.days();
    expect([days?.yesterday.date, days?.today.date, days?.tomorrow.date]).toEqual([
      "2016-02-03",
      "2016-02-04",
      "2016-02-05",
    ]);
    expect(days?.today.epochs[4]).toBe(parseEpoch("2016-02-04T18:12:00+03:00"));
  });
});
