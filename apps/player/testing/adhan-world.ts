import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { invalidField } from "@kit/problem";
import { createEvents } from "../src/events.ts";
import type { CardFile } from "../src/library/card-file.ts";
import { createCardGate } from "../src/library/card-gate.ts";
import type { AudioEngine } from "../src/playback/audio-engine.ts";
import { createHifzDaysStore } from "../src/playback/hifz-days.store.ts";
import { createPlaybackService } from "../src/playback/playback.service.ts";
import { createResumeService } from "../src/playback/resume.service.ts";
import { createResumePositionStore } from "../src/playback/resume-position.store.ts";
import type { AdhanChange } from "../src/prayer/adhan.schema.ts";
import { createAdhanService } from "../src/prayer/adhan.service.ts";
import { createAdhanStore } from "../src/prayer/adhan.store.ts";
import type { PrayerDay } from "../src/prayer/adhan.ts";
import { createAdhanLogService } from "../src/prayer/adhan-log.service.ts";
import { toScheduledPlayback } from "../src/schedules/scheduled-playback.ts";
import { createSchedulesService } from "../src/schedules/schedules.service.ts";
import { createSchedulesStore } from "../src/schedules/schedules.store.ts";
import { createSettingsService } from "../src/settings/settings.service.ts";
import { createSettingsStore } from "../src/settings/settings.store.ts";
import { openDatabase } from "../src/storage/database.ts";
import { createTryWrite } from "../src/storage/try-write.ts";
import type { StreamEvent } from "../src/streams/stream.ts";
import { createTargetsService } from "../src/targets/targets.service.ts";
import { toIsoDate } from "../src/time/calendar-date.ts";
import { parseZone } from "../src/time/zone.ts";

const DAY_S = 86_400;
const LIVE = "http://127.0.0.1:1/live";
export const AZAN = "azan.wav";
/** Fajr, Sunrise, Dhuhr, Asr, Maghrib and Isha, in seconds after midnight. */
const TIMES_S = [18_000, 23_400, 44_100, 55_800, 64_800, 70_200];

export function buildPrayerDay(days: number): PrayerDay {
  return { date: toIsoDate(days), epochs: TIMES_S.map((time) => days * DAY_S + time) };
}

export interface AdhanWorldParts {
  clock: Clock;
  engine: AudioEngine;
  /** The files of the card and the tone, as the engine knows them. */
  cardFolder: string;
  tone: string;
  /** Whether the memory card is inserted, and until when it does not answer. */
  card: { isIn: boolean; hangsUntilMs: number };
  /** How long the adhan and the tone have sounded so far. */
  measureSound: () => { azan: number; tone: number };
}

/** The device with all parts that play or stop sound; the test controls its clock, engine, card and network. */
export function createAdhanWorld({ clock, engine, cardFolder, tone, card, measureSound }: AdhanWorldParts) {
  // Thousands of days save thousands of positions, and none has to survive a power cut.
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "adhan-"));
  const events = createEvents();
  const network = { isUp: true, lookUpMs: 0 };
  const changes: (AdhanChange & { atMs: number; soundedMs: { azan: number; tone: number } })[] = [];
  /** The clock of the device can be set; the given one cannot. */
  let aheadMs = 0;
  const now = () => clock.now().getTime() + aheadMs;
  const { database } = openDatabase(folder, clock);
  const settings = createSettingsService({ store: createSettingsStore(database), log: silentLog });
  const tryWrite = createTryWrite({ events, clock, log: silentLog });
  const listeners = new Set<() => void>();
  const onChange = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const zone = parseZone("UTC0");
  const time = { now, isValid: () => true, zone: () => zone, onChange };
  const gate = createCardGate({ clock, maxWaitMs: 2000 });

  function findFile(path: string): CardFile {
    const surah = Number(/(\d{3})\.wav$/.exec(path)?.[1] ?? 0);
    return { absolute: `${cardFolder}/${path}`, path, reciter: surah > 0 ? "Husary" : "", surah };
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
      card.isIn ? findFile(`Husary/${String(surah).padStart(3, "0")}.wav`) : undefined,
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
  const openTone = async () => tone;
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
    called: createAdhanLogService({ store: createAdhanStore(database), time, tryWrite }),
    events,
    changed: (change) => {
      changes.push({ ...change, atMs: clock.monotonicMs(), soundedMs: measureSound() });
    },
    clock,
    log: silentLog,
  });
  const schedules = createSchedulesService({
    store: createSchedulesStore(database),
    time,
    prayer: { epochsOn, onChange: () => () => undefined },
    targets,
    playback: toScheduledPlayback(playback, openTone),
    tryWrite,
    maxVolume: () => 100,
    events,
    clock,
    log: silentLog,
  });

  return {
    now,
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

    setClock(epochS: number): void {
      aheadMs = Math.round(epochS * 1000) - clock.now().getTime();
      for (const listener of listeners) listener();
    },

    pullCard(): void {
      card.isIn = false;
      playback.cardRemoved();
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
