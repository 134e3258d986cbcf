import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { invalidField } from "@kit/problem";
import { createEvents, type PlayerEvent } from "../src/events.ts";
import { createHifzDaysStore } from "../src/playback/hifz-days.store.ts";
import { createPlaybackService } from "../src/playback/playback.service.ts";
import { createResumeService } from "../src/playback/resume.service.ts";
import { createResumePositionStore } from "../src/playback/resume-position.store.ts";
import type { CountedPlay } from "../src/playback/source.ts";
import { createSettingsService } from "../src/settings/settings.service.ts";
import { createSettingsStore } from "../src/settings/settings.store.ts";
import { openDatabase } from "../src/storage/database.ts";
import { createTryWrite } from "../src/storage/try-write.ts";
import type { StreamEvent } from "../src/streams/stream.ts";
import { createManualEngine } from "./manual-engine.ts";

export interface PlaybackBenchOptions {
  /** The surahs that the reciter Husary has. */
  surahs?: readonly number[];
  folder?: string;
  /** How long the look-up of a stream's host name takes. */
  lookUpMs?: number;
}

/** Playback with a clock, an engine, a card and streams that a test controls; the storage is real. */
export function createPlaybackBench({
  surahs = [1, 2, 5, 114],
  folder = newFolder(),
  lookUpMs = 0,
}: PlaybackBenchOptions = {}) {
  const clock = createFakeClock();
  const engine = createManualEngine();
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const { database } = openDatabase(folder, clock);
  const settings = createSettingsService({ store: createSettingsStore(database), log: silentLog });
  const tryWrite = createTryWrite({ events, clock, log: silentLog });
  const card = new Set(surahs);
  const countedPlays: CountedPlay[] = [];
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
        if (!found) throw invalidField("path", `'${path}' is not on the card`);
        return found;
      },
      find: (reciter, surah) => (card.has(surah) ? buildFile(reciter, surah) : undefined),
      available: () => Array.from({ length: 114 }, (_, slot) => card.has(slot + 1)),
    },
    streams: {
      check: async (field, url) => {
        if (lookUpMs > 0) await clock.sleep(lookUpMs);
        if (url.includes("localhost")) throw invalidField(field, "must lead to a public address");
      },
      open: ({ url }, send) => {
        const calls: string[] = [];
        streams.push({ url, send, calls });
        return {
          reconnect: () => calls.push("reconnect"),
          close: () => calls.push("close"),
          setAudible: () => undefined,
        };
      },
      checkText: () => undefined,
    },
    settings,
    resume: createResumeService({ store: createResumePositionStore(database), tryWrite, clock }),
    hifzDays: createHifzDaysStore(database),
    tryWrite,
    events,
    clock,
    log: silentLog,
    today: () => "2026-01-01",
    isSavedStream: () => false,
    onCountedPlay: (one) => countedPlays.push(one),
    onStreamPlayed: (url) => countedPlays.push({ url: `really ${url}` }),
  });
  return {
    playback,
    engine,
    clock,
    settings,
    events,
    tryWrite,
    emitted,
    countedPlays,
    streams,
    card,
    folder,
    database,
  };
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "playback-"));
}

export type PlaybackBench = ReturnType<typeof createPlaybackBench>;

export const MINUTE = 60_000;

/** A surah of one minute is playing. */
export async function playing(path = "Husary/002.mp3", options: PlaybackBenchOptions = {}): Promise<PlaybackBench> {
  const bench = createPlaybackBench(options);
  await bench.playback.play({ path });
  flow(bench, 0);
  return bench;
}

export function flow({ engine }: PlaybackBench, positionMs: number): void {
  engine.at({ positionMs, durationMs: MINUTE });
  engine.emit("flowing");
}

export function brief({ playback }: PlaybackBench) {
  const { state, mode, position, duration, surah_number } = playback.status();
  return { state, mode, position, duration, surah_number };
}
