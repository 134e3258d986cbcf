import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { invalidField } from "@kit/problem";
import { createEvents } from "../src/events.ts";
import type { CardFile } from "../src/library/card-file.ts";
import { createCardGate } from "../src/library/card-gate.ts";
import { createHifzDaysStore } from "../src/playback/hifz-days.store.ts";
import { createPlaybackService } from "../src/playback/playback.service.ts";
import { createResumeService } from "../src/playback/resume.service.ts";
import { createResumePositionStore } from "../src/playback/resume-position.store.ts";
import { createTryWrite } from "../src/playback/try-write.ts";
import type { AdhanChange } from "../src/prayer/adhan.schema.ts";
import { createAdhanService } from "../src/prayer/adhan.service.ts";
import { createAdhanStore } from "../src/prayer/adhan.store.ts";
import type { PrayerDay } from "../src/prayer/adhan.ts";
import { createCalledAdhansService } from "../src/prayer/called-adhans.service.ts";
import { createSchedulesService } from "../src/schedules/schedules.service.ts";
import { createSchedulesStore } from "../src/schedules/schedules.store.ts";
import { createSettingsService } from "../src/settings/settings.service.ts";
import { createSettingsStore } from "../src/settings/settings.store.ts";
import { openDatabase } from "../src/storage/database.ts";
import type { StreamEvent } from "../src/streams/stream.ts";
import { createTargetsService } from "../src/targets/targets.service.ts";
import { toIsoDate } from "../src/time/calendar-date.ts";
import { parseZone } from "../src/time/zone.ts";
import { createMortalEngine } from "./mortal-engine.ts";

const DAY_S = 86_400;
const LIVE = "http://127.0.0.1:1/live";
const AZAN = "azan.mp3";
export const AZAN_LOCATION = `/card/${AZAN}`;
export const TONE_LOCATION = "/data/tone.wav";
export const AZAN_MS = 90_000;
export const TONE_MS = 3000;
const SURAH_MS = 10 * 60_000;
/** Fajr, Sunrise, Dhuhr, Asr, Maghrib and Isha, in seconds after midnight. */
const TIMES_S = [18_000, 23_400, 44_100, 55_800, 64_800, 70_200];

export function buildPrayerDay(days: number): PrayerDay {
  return { date: toIsoDate(days), epochs: TIMES_S.map((time) => days * DAY_S + time) };
}

/** The device with everything that plays or stops sound, on a clock, an engine, a card and a network of the test. */
export function createAdhanWorld(start: Date) {
  // Thousands of days save thousands of positions, and none of them must survive a power cut.
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "adhan-"));
  const clock = createFakeClock(start);
  const events = createEvents();
  const card = { isIn: true, hangsUntilMs: 0 };
  const network = { isUp: true, lookUpMs: 0 };
  const changes: (AdhanChange & { atMs: number; soundedMs: { azan: number; tone: number } })[] = [];
  const engine = createMortalEngine({
    clock,
    durationMs: (location) => {
      if (location === TONE_LOCATION) return TONE_MS;
      if (!card.isIn) return undefined;
      return location === AZAN_LOCATION ? AZAN_MS : SURAH_MS;
    },
  });
  const { database } = openDatabase(folder, clock);
  const settings = createSettingsService({ store: createSettingsStore(database), log: silentLog });
  const tryWrite = createTryWrite({ events, log: silentLog });
  const listeners = new Set<() => void>();
  const onChange = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const zone = parseZone("UTC0");
  const time = { now: () => clock.now().getTime(), isValid: () => true, zone: () => zone, onChange };
  const gate = createCardGate({ clock, maxWaitMs: 2000 });

  function findFile(path: string): CardFile {
    const surah = Number(/(\d{3})\.mp3$/.exec(path)?.[1] ?? 0);
    return { absolute: `/card/${path}`, path, reciter: surah > 0 ? "Husary" : "", surah };
  }

  async function resolve(path: string): Promise<CardFile> {
    return gate.run(async () => {
      if (card.hangsUntilMs > clock.monotonicMs()) await clock.sleep(card.hangsUntilMs - clock.monotonicMs());
      if (!card.isIn) throw invalidField("path", "there is no such file or folder on the card");
      return findFile(path);
    });
  }

  const library = {
    resolve,
    find: (_reciter: string, surah: number) =>
      card.isIn ? findFile(`Husary/${String(surah).padStart(3, "0")}.mp3`) : undefined,
    available: () => Array.from({ length: 114 }, () => card.isIn),
  };
  const streams = {
    check: async () => {
      await clock.sleep(network.lookUpMs);
    },
    checkText: () => undefined,
    open: (_station: unknown, send: (event: StreamEvent) => void) => {
      let isOpen = true;
      const connect = async (): Promise<void> => {
        await clock.sleep(300);
        if (isOpen) send(network.isUp ? { type: "ready", location: LIVE } : { type: "waiting", retryInMs: 2000 });
      };
      void connect();
      return {
        reconnect: () => void connect(),
        close: () => {
          isOpen = false;
        },
        setAudible: () => undefined,
      };
    },
  };
  const playback = createPlaybackService({
    engine,
    library,
    streams,
    settings,
    isSavedStream: () => false,
    resume: createResumeService({ store: createResumePositionStore(database), tryWrite, clock }),
    hifzDays: createHifzDaysStore(database),
    tryWrite,
    events,
    clock,
    log: silentLog,
    today: () => toIsoDate(Math.floor(time.now() / 1000 / DAY_S)),
    onCountedPlay: () => undefined,
    onStreamPlayed: () => undefined,
  });
  const targets = createTargetsService({
    playback,
    library,
    streams,
    favorites: { list: () => [] },
    stations: { find: () => undefined },
    settings,
  });
  const epochsOn = (date: string) => buildPrayerDay(Date.parse(date) / 1000 / DAY_S).epochs;
  const openTone = async () => TONE_LOCATION;
  const adhan = createAdhanService({
    prayer: {
      days: () => {
        const today = Math.floor(time.now() / 1000 / DAY_S);
        const [yesterday, now, tomorrow] = [today - 1, today, today + 1].map(buildPrayerDay);
        return yesterday && now && tomorrow && { yesterday, today: now, tomorrow };
      },
      config: () => ({ adhan: { enabled: true, prayer_mask: 0b111111, volume: 70, path: AZAN, fajr_path: "" } }),
      onChange: () => () => undefined,
    },
    time,
    playback,
    library,
    openTone,
    afterAdhan: () => settings.get().after_adhan,
    called: createCalledAdhansService({ store: createAdhanStore(database), time, tryWrite }),
    events,
    changed: (change) => {
      const soundedMs = { azan: engine.soundedMs(AZAN_LOCATION), tone: engine.soundedMs(TONE_LOCATION) };
      changes.push({ ...change, atMs: clock.monotonicMs(), soundedMs });
    },
    clock,
    log: silentLog,
  });
  const schedules = createSchedulesService({
    store: createSchedulesStore(database),
    time,
    prayer: { epochsOn, onChange: () => () => undefined },
    targets,
    playback: {
      commands: () => playback.commands(),
      stopRecitation: () => playback.stopRecitation(),
      isSilentStream: () => playback.status().mode === "stream" && playback.status().state === "buffering",
      async playTone() {
        if (playback.isInterruptionDue()) return;
        await playback.interrupt({ path: await openTone(), name: "", volume: 0, after: "resume" });
      },
    },
    maxVolume: () => 100,
    events,
    clock,
    log: silentLog,
  });

  return {
    clock,
    engine,
    card,
    network,
    changes,
    playback,
    targets,
    schedules,
    adhan,
    settings,

    start(): void {
      void playback.start();
      adhan.start();
      schedules.start();
    },

    setClock(to: Date): void {
      clock.jumpTo(to);
      for (const listener of listeners) listener();
    },

    pullCard(): void {
      card.isIn = false;
      playback.cardRemoved();
      engine.breakFile("/card/");
    },

    async close(): Promise<void> {
      adhan.close();
      schedules.close();
      await playback.close();
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
export type AdhanWorld = ReturnType<typeof createAdhanWorld>;
