import { silentLog } from "@kit/log/silent";
import { invalidField, Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import { createPlaybackBench, flow } from "../../testing/playback-bench.ts";
import { createTestFrame } from "../../testing/test-frame.ts";
import { toEpochDays, toIsoDate } from "../time/calendar-date.ts";
import { adhanRoutes } from "./adhan.routes.ts";
import type { AdhanChange } from "./adhan.schema.ts";
import { createAdhanService } from "./adhan.service.ts";
import { createAdhanStore } from "./adhan.store.ts";
import { createAdhanLogService } from "./adhan-log.service.ts";
import type { PrayerConfig } from "./prayer.schema.ts";

const HOUR = 3_600_000;
const DAY_S = 86_400;
const AZAN = "/card/azan.mp3";
const TONE = "/data/tone.wav";

/** It is 00:00 on 2026-01-01, and the prayers are at 05:00, 06:30 (sunrise), 12:00, 15:30, 18:00 and 19:30. */
function setUp(adhan: Partial<PrayerConfig["adhan"]> = {}, bench = createPlaybackBench()) {
  const { clock, playback, events, tryWrite, database } = bench;
  const world = {
    isValid: true,
    hasPlace: true,
    hasTone: true,
    after: "resume" as "resume" | "stay_paused",
    /** The card answers when this is settled. */
    card: Promise.resolve(),
  };
  const config = {
    adhan: { enabled: true, prayer_mask: 0b111111, volume: 70, path: "azan.mp3", fajr_path: "", ...adhan },
  };
  const listeners = new Set<() => void>();
  const onChange = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const buildDay = (days: number) => ({
    date: toIsoDate(days),
    epochs: [18_000, 23_400, 43_200, 55_800, 64_800, 70_200].map((time) => days * DAY_S + time),
  });
  const changes: AdhanChange[] = [];
  const time = { now: () => clock.now().getTime(), isValid: () => world.isValid, onChange };
  const service = createAdhanService({
    prayer: {
      days: () => {
        const today = Math.floor(clock.now().getTime() / 1000 / DAY_S);
        if (!world.hasPlace) return undefined;
        return { yesterday: buildDay(today - 1), today: buildDay(today), tomorrow: buildDay(today + 1) };
      },
      config: () => config,
      onChange,
    },
    time,
    playback,
    library: {
      resolve: async (path) => {
        await world.card;
        if (path.startsWith("missing")) throw invalidField("path", "there is no such file or folder on the card");
        return { absolute: `/card/${path}`, path, reciter: "", surah: 0 };
      },
    },
    openTone: async () => {
      if (!world.hasTone) throw new Problem("failed", "tone: it cannot be written to the device's storage");
      return TONE;
    },
    afterAdhan: () => world.after,
    called: createAdhanLogService({ store: createAdhanStore(database), time, tryWrite }),
    events,
    changed: (change) => changes.push(change),
    clock,
    log: silentLog,
  });
  const notifyChange = () => {
    for (const listener of listeners) listener();
  };
  const jump = async (to: string) => {
    clock.jumpTo(new Date(to));
    notifyChange();
    await clock.advance(0);
  };
  const locations = () => bench.engine.loads.map(({ location }) => location);
  const errors = () => bench.emitted.filter(({ type }) => type === "error").map(({ data }) => data);
  return { ...bench, bench, service, config, world, changes, listeners, notifyChange, jump, locations, errors };
}

/** Plays the adhan that was loaded last to its end. */
async function playToEnd({ engine, clock }: ReturnType<typeof setUp>): Promise<void> {
  engine.emit("flowing");
  await clock.advance(1000);
  engine.emit("ended");
  await clock.advance(0);
}

describe("an adhan", () => {
  it("plays at its time, not earlier, and reports its phases", async () => {
    const player = setUp();
    player.service.start();
    await player.clock.advance(5 * HOUR - 1);
    expect(player.locations()).toEqual([]);
    await player.clock.advance(1);
    expect(player.locations()).toEqual([AZAN]);
    expect(player.playback.status()).toMatchObject({ mode: "file", track: "azan.mp3", volume: 70 });
    expect(player.changes).toEqual([{ phase: "started", prayer: "fajr" }]);
    await playToEnd(player);
    expect(player.changes.at(-1)).toEqual({ phase: "ended", prayer: "fajr" });
    expect(player.playback.status()).toMatchObject({ state: "stopped", volume: 50 });
  });

  it("an adhan is called five times a day, but not at sunrise", async () => {
    const player = setUp();
    player.service.start();
    for (let quarter = 0; quarter < 2 * 96; quarter += 1) {
      await player.clock.advance(HOUR / 4);
      if (player.playback.isInterrupted()) await playToEnd(player);
    }
    const started = player.changes.filter(({ phase }) => phase === "started").map(({ prayer }) => prayer);
    const day = ["fajr", "dhuhr", "asr", "maghrib", "isha"];
    expect(started).toEqual([...day, ...day]);
  });

  it.each([
    ["the clock is not valid", { isValid: false }, {}],
    ["no location is set", { hasPlace: false }, {}],
    ["adhans are off", {}, { enabled: false }],
    ["the mask excludes it", {}, { prayer_mask: 0b111110 }],
  ])("an adhan is not called when %s, and is called afterwards", async (_why, circumstance, adhan) => {
    const player = setUp(adhan);
    Object.assign(player.world, circumstance);
    player.service.start();
    await player.clock.advance(5 * HOUR + 30_000);
    expect([player.locations(), player.changes]).toEqual([[], []]);
    Object.assign(player.world, { isValid: true, hasPlace: true });
    Object.assign(player.config.adhan, { enabled: true, prayer_mask: 0b111111 });
    player.notifyChange();
    await player.clock.advance(0);
    expect(player.locations()).toEqual([AZAN]);
  });

  it("an adhan may be a minute late, and is skipped when it is later", async () => {
    const player = setUp();
    player.service.start();
    await player.jump("2026-01-01T05:01:00Z");
    expect(player.changes).toEqual([{ phase: "started", prayer: "fajr" }]);
    await playToEnd(player);
    await player.jump("2026-01-01T12:01:01Z");
    expect(player.changes.slice(2)).toEqual([{ phase: "skipped", prayer: "dhuhr" }]);
    expect(player.locations()).toEqual([AZAN]);
    expect(player.service.counts()).toEqual({ started: 1, skipped: 1 });
  });

  it("an adhan is found late after a sleep without notification", async () => {
    const player = setUp();
    player.service.start();
    await player.clock.advance(1000);
    player.clock.jumpTo(new Date("2026-01-01T05:00:10Z"));
    await player.clock.advance(30_000);
    expect(player.changes).toEqual([{ phase: "started", prayer: "fajr" }]);
  });

  it("an adhan is not repeated when the clock is set back, nor after a restart", async () => {
    const player = setUp();
    player.service.start();
    await player.clock.advance(5 * HOUR);
    await playToEnd(player);
    await player.jump("2026-01-01T04:59:00Z");
    await player.clock.advance(10 * 60_000);
    expect(player.locations()).toEqual([AZAN]);
    player.service.close();
    const again = setUp({}, createPlaybackBench({ folder: player.folder }));
    again.clock.jumpTo(new Date("2026-01-01T04:59:00Z"));
    again.service.start();
    await again.clock.advance(10 * 60_000);
    expect(again.locations()).toEqual([]);
    await again.jump("2026-01-02T05:00:00Z");
    expect(again.locations()).toEqual([AZAN]);
  });

  it.each([
    ["an hour", "2026-01-01T11:00:00Z"],
    ["five minutes", "2026-01-01T11:55:00Z"],
    ["a day", "2025-12-31T13:00:00Z"],
  ])(
    "an adhan is called at its real time after it was tried by the clock, which was set back by %s",
    async (_by, back) => {
      const player = setUp({ prayer_mask: 0b000100 });
      player.service.start();
      await player.jump("2026-01-01T12:00:00Z");
      await playToEnd(player);
      await player.jump(back);
      expect(player.service.nextEpoch()).toBe(toEpochDays("2026-01-01") * DAY_S + 43_200);
      await player.clock.advance(Date.parse("2026-01-01T12:00:00Z") - Date.parse(back) - 1);
      expect(player.locations()).toEqual([AZAN]);
      await player.clock.advance(1);
      expect(player.locations()).toEqual([AZAN, AZAN]);
    },
  );

  it("an adhan is called at its real time also when the clock was set back while the device was off", async () => {
    const player = setUp({ prayer_mask: 0b000100 });
    player.service.start();
    await player.jump("2026-01-01T12:00:00Z");
    await playToEnd(player);
    player.service.close();
    const again = setUp({ prayer_mask: 0b000100 }, createPlaybackBench({ folder: player.folder }));
    again.clock.jumpTo(new Date("2026-01-01T10:00:00Z"));
    again.service.start();
    await again.clock.advance(2 * HOUR);
    expect(again.locations()).toEqual([AZAN]);
  });

  it("an adhan is skipped when the device was not ready within a minute", async () => {
    const player = setUp();
    let answer = (): void => undefined;
    player.world.card = new Promise((resolve) => {
      answer = resolve;
    });
    player.service.start();
    await player.clock.advance(5 * HOUR + 61_000);
    answer();
    await player.clock.advance(0);
    expect([player.locations(), player.changes]).toEqual([[], [{ phase: "skipped", prayer: "fajr" }]]);
  });

  it("an adhan is called even if the record cannot be saved, and still only once", async () => {
    const player = setUp();
    player.database.command("PRAGMA query_only = ON")();
    player.service.start();
    await player.clock.advance(5 * HOUR);
    await playToEnd(player);
    await player.jump("2026-01-01T05:00:00Z");
    expect(player.changes.map(({ phase }) => phase)).toEqual(["started", "ended"]);
    expect(player.errors()).toMatchObject([{ code: "storage" }]);
  });

  it("uses the Fajr file for Fajr, if configured", async () => {
    const player = setUp({ fajr_path: "fajr.mp3" });
    player.service.start();
    await player.clock.advance(5 * HOUR);
    await playToEnd(player);
    await player.clock.advance(7 * HOUR);
    expect(player.locations()).toEqual(["/card/fajr.mp3", AZAN]);
  });

  it("uses the tone without a file", async () => {
    const player = setUp({ path: "" });
    player.service.start();
    await player.clock.advance(5 * HOUR);
    expect(player.locations()).toEqual([TONE]);
    expect(player.playback.status()).toMatchObject({ state: "playing", mode: "file", track: "" });
    expect(player.errors()).toEqual([]);
  });

  it("uses the tone when its file is missing, and reports it", async () => {
    const player = setUp({ fajr_path: "missing.mp3" });
    player.service.start();
    await player.clock.advance(5 * HOUR);
    expect(player.locations()).toEqual([TONE]);
    const message = "adhan.fajr_path: 'missing.mp3' cannot be played, so the built-in tone is";
    expect(player.errors()).toEqual([{ code: "adhan", message }]);
  });

  it("uses the tone when its file has no audio", async () => {
    const player = setUp();
    player.service.start();
    await player.clock.advance(5 * HOUR);
    player.engine.emit("failed", "no audio in it");
    expect(player.locations()).toEqual([AZAN, TONE]);
  });

  it("an adhan is called as soon as the device has audio again", async () => {
    const player = setUp();
    player.engine.refuseStart(new Problem("failed", "audio: no audio device could be opened"));
    player.service.start();
    await player.clock.advance(5 * HOUR + 20_000);
    expect([player.locations(), player.changes]).toEqual([[], []]);
    player.engine.refuseStart(undefined);
    await player.clock.advance(2000);
    expect(player.locations()).toEqual([AZAN]);
  });

  it("an adhan is skipped when the device has no audio for a minute, and reports it", async () => {
    const player = setUp();
    player.engine.refuseStart(new Problem("failed", "audio: mpv is not installed"));
    player.service.start();
    await player.clock.advance(5 * HOUR + 62_000);
    expect(player.changes).toEqual([{ phase: "skipped", prayer: "fajr" }]);
    expect(player.errors()).toEqual([{ code: "adhan", message: "audio: mpv is not installed" }]);
  });

  it("an adhan needs no tone when it has a file", async () => {
    const player = setUp();
    player.world.hasTone = false;
    player.service.start();
    await player.clock.advance(5 * HOUR);
    expect(player.locations()).toEqual([AZAN]);
  });

  it("reports stopped when a user ends it, and leaves the source paused if configured", async () => {
    const player = setUp();
    player.world.after = "stay_paused";
    player.service.start();
    await player.playback.play({ path: "Husary/002.mp3" });
    await player.clock.advance(5 * HOUR + 500);
    player.playback.endInterruption();
    await player.clock.advance(0);
    expect(player.changes.map(({ phase }) => phase)).toEqual(["started", "stopped"]);
    flow(player.bench, 10_000);
    await player.jump("2026-01-01T12:00:00Z");
    await player.clock.advance(500);
    await playToEnd(player);
    expect(player.playback.status()).toMatchObject({ state: "paused", surah_number: 2, position: 10_000 });
  });

  it("an adhan is not called after the service was closed", async () => {
    const player = setUp();
    player.service.start();
    player.service.start();
    player.service.close();
    await player.clock.advance(6 * HOUR);
    expect([player.locations(), player.listeners.size]).toEqual([[], 0]);
  });

  it("announces the next one for waking the device", async () => {
    const player = setUp();
    const newYear = toEpochDays("2026-01-01") * DAY_S;
    expect(player.service.nextEpoch()).toBe(newYear + 18_000);
    player.config.adhan.enabled = false;
    expect(player.service.nextEpoch()).toBeUndefined();
  });
});

describe("POST /prayer/test-adhan", () => {
  async function post(player: ReturnType<typeof setUp>) {
    const app = createTestFrame();
    await app.register(adhanRoutes(player.service), { prefix: "/api" });
    return app.inject({ method: "POST", url: "/api/prayer/test-adhan" });
  }

  it("plays the configured adhan now, whatever the clock says", async () => {
    const player = setUp({ enabled: false, fajr_path: "fajr.mp3" });
    player.world.isValid = false;
    const answered = await post(player);
    expect([answered.statusCode, answered.json()]).toEqual([200, { success: true, track: "azan.mp3" }]);
    await player.clock.advance(0);
    expect(player.locations()).toEqual([AZAN]);
    expect(player.changes).toEqual([{ phase: "started", prayer: "test" }]);
    await playToEnd(player);
    expect(player.changes.at(-1)).toEqual({ phase: "ended", prayer: "test" });
  });

  it("answers 500 with the cause when the device has no audio", async () => {
    const player = setUp();
    player.engine.refuseStart(new Problem("failed", "audio: mpv is not installed"));
    const refused = await post(player);
    expect([refused.statusCode, refused.json()]).toEqual([500, { error: "audio: mpv is not installed" }]);
    expect(player.changes).toEqual([]);
  });
});

describe("the adhans that were called", () => {
  it("the adhans that were called are removed in the order of the calls, not of their dates", () => {
    const { database } = setUp();
    const store = createAdhanStore(database);
    store.add({ date: "2036-01-01", prayer: "fajr", fired_at: 1 });
    database.command(`
      INSERT INTO fired_adhans (date, prayer)
      WITH RECURSIVE days (day) AS (SELECT 1 UNION ALL SELECT day + 1 FROM days WHERE day < 2499)
      SELECT date('2018-01-01', day || ' days'), 'isha' FROM days
    `)();
    expect(store.list()).toHaveLength(2500);
    store.add({ date: "2026-01-01", prayer: "asr", fired_at: 2 });
    store.add({ date: "2026-01-01", prayer: "asr", fired_at: 3 });
    expect(store.list()).toHaveLength(2500);
    expect(store.list()).not.toContainEqual({ date: "2036-01-01", prayer: "fajr", fired_at: 1 });
    expect(store.list()).toContainEqual({ date: "2026-01-01", prayer: "asr", fired_at: 3 });
    store.remove({ date: "2026-01-01", prayer: "asr" });
    expect(store.list()).toHaveLength(2499);
  });
});
