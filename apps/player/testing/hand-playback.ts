import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { createEvents, type PlayerEvent } from "../src/events.ts";
import { createHifzDaysStore } from "../src/playback/hifz-days.store.ts";
import { createKeep } from "../src/playback/keep.ts";
import { createPlaybackService } from "../src/playback/playback.service.ts";
import { createResumeService } from "../src/playback/resume.service.ts";
import { createResumePositionStore } from "../src/playback/resume-position.store.ts";
import type { CountedPlay } from "../src/playback/source.ts";
import { createSettingsService } from "../src/settings/settings.service.ts";
import { createSettingsStore } from "../src/settings/settings.store.ts";
import { openDatabase } from "../src/storage/database.ts";
import type { StreamEvent } from "../src/streams/stream.ts";
import { createHandEngine } from "./hand-engine.ts";

export interface HandPlaybackOptions {
  /** The surahs that the reciter Husary has. */
  surahs?: readonly number[];
  folder?: string;
}

/** Playback on a clock, an engine, a card and streams that a test moves by hand; what is kept is kept for real. */
export function createHandPlayback({ surahs = [1, 2, 5, 114], folder = newFolder() }: HandPlaybackOptions = {}) {
  const clock = createFakeClock();
  const engine = createHandEngine();
  const events = createEvents();
  const told: PlayerEvent[] = [];
  events.onEvent((event) => told.push(event));
  const { database } = openDatabase(folder, clock);
  const settings = createSettingsService({ store: createSettingsStore(database), log: silentLog });
  const keep = createKeep({ events, log: silentLog });
  const card = new Set(surahs);
  const heard: CountedPlay[] = [];
  const streams: { url: string; send: (event: StreamEvent) => void; calls: string[] }[] = [];
  const buildFile = (reciter: string, surah: number) => {
    const path = `${reciter}/${String(surah).padStart(3, "0")}.mp3`;
    return { absolute: `/card/${path}`, path, reciter, surah };
  };
  const playback = createPlaybackService({
    engine,
    library: {
      resolve: async (path) => {
        if (path === "azan.mp3") return { absolute: "/card/azan.mp3", path, reciter: "", surah: 0 };
        const found = [...card].map((surah) => buildFile("Husary", surah)).find((file) => file.path === path);
        if (!found) throw new Problem("invalid", `path: '${path}' is not on the card`);
        return found;
      },
      find: (reciter, surah) => (card.has(surah) ? buildFile(reciter, surah) : undefined),
      available: () => Array.from({ length: 114 }, (_, slot) => card.has(slot + 1)),
    },
    streams: {
      check: async (field, url) => {
        if (url.includes("localhost")) throw new Problem("invalid", `${field}: must lead to a public address`);
      },
      open: (url, send) => {
        const calls: string[] = [];
        streams.push({ url, send, calls });
        return { reconnect: () => calls.push("reconnect"), close: () => calls.push("close") };
      },
    },
    settings,
    resume: createResumeService({ store: createResumePositionStore(database), keep, clock }),
    hifzDays: createHifzDaysStore(database),
    keep,
    events,
    clock,
    log: silentLog,
    today: () => "2026-01-01",
    heard: (one) => heard.push(one),
    streamHeard: (url) => heard.push({ url: `really ${url}` }),
  });
  return { playback, engine, clock, settings, events, keep, told, heard, streams, card, folder, database };
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "playback-"));
}

export type Hand = ReturnType<typeof createHandPlayback>;

export const MINUTE = 60_000;

/** A surah of one minute is playing. */
export async function playing(path = "Husary/002.mp3", options: HandPlaybackOptions = {}): Promise<Hand> {
  const hand = createHandPlayback(options);
  await hand.playback.play({ path });
  flow(hand, 0);
  return hand;
}

export function flow({ engine }: Hand, positionMs: number): void {
  engine.at({ positionMs, durationMs: MINUTE });
  engine.tell("flowing");
}

export function brief({ playback }: Hand) {
  const { state, mode, position, duration, surah_number } = playback.status();
  return { state, mode, position, duration, surah_number };
}
