import { freemem } from "node:os";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { OutboundGuard } from "@kit/guard/fetch";
import type { Frame } from "@kit/http/frame";
import { replaceCertificate } from "@kit/http/server";
import { closeGracefully } from "@kit/http/service";
import type { Log } from "@kit/log";
import { createPlayerApp, type PlayerAppDeps } from "./app.ts";
import { createEvents } from "./events.ts";
import { createFavoritesService } from "./favorites/favorites.service.ts";
import { createFavoritesStore } from "./favorites/favorites.store.ts";
import { createLibraryService } from "./library/library.service.ts";
import { createLiveService } from "./live/live.service.ts";
import type { AudioEngine } from "./playback/audio-engine.ts";
import { createHifzDaysStore } from "./playback/hifz-days.store.ts";
import { createKeep } from "./playback/keep.ts";
import { createPlaybackService } from "./playback/playback.service.ts";
import { createResumeService } from "./playback/resume.service.ts";
import { createResumePositionStore } from "./playback/resume-position.store.ts";
import { createStationsService } from "./radio/stations.service.ts";
import { createStationsStore } from "./radio/stations.store.ts";
import { createSettingsService } from "./settings/settings.service.ts";
import { createSettingsStore } from "./settings/settings.store.ts";
import { openDatabase } from "./storage/database.ts";
import { measureStorage } from "./storage/storage.ts";
import { createStreamsService } from "./streams/streams.service.ts";
import { createSystemService } from "./system/system.service.ts";

export interface PlayerParts
  extends Pick<PlayerAppDeps, "certificate" | "isLimited" | "dashboardFolder" | "currentToken"> {
  dataFolder: string;
  cardFolder: string;
  version: string;
  engine: AudioEngine;
  guard: OutboundGuard;
  clock: Clock;
  ids: Ids;
  log: Log;
}

export interface Player {
  app: Frame;
  /** Opens what is slow to open; requests are answered meanwhile. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The whole service on the given hardware. */
export async function createPlayer(parts: PlayerParts): Promise<Player> {
  const { dataFolder, cardFolder, version, engine, guard, clock, ids, log } = parts;
  const { database, boot_failure } = openDatabase(dataFolder, clock);
  const boot_id = ids.next();
  const events = createEvents();
  const settings = createSettingsService({ store: createSettingsStore(database), events, log });
  const library = createLibraryService({ cardFolder, clock, events, log });
  const streams = createStreamsService({
    guard,
    clock,
    ids,
    log,
    policy: () => ({ allowPrivate: settings.get().allow_private_streams }),
    retryMinutes: () => settings.get().stream_retry_min,
  });
  const favorites = createFavoritesService({
    store: createFavoritesStore(database),
    events,
    clock,
    isAvailable: (reciter, surah) => library.find(reciter, surah) !== undefined,
    checkUrl: streams.check,
  });
  const stations = createStationsService({
    store: createStationsStore(database),
    events,
    clock,
    checkUrl: streams.check,
  });
  const keep = createKeep({ events, log });
  const playback = createPlaybackService({
    engine,
    library,
    streams,
    settings,
    resume: createResumeService({ store: createResumePositionStore(database), keep, clock }),
    hifzDays: createHifzDaysStore(database),
    keep,
    events,
    clock,
    log,
    // The time zone is UTC until somebody can set another one.
    today: () => clock.now().toISOString().slice(0, 10),
    heard: (heard) => {
      favorites.countPlay(heard);
      if ("url" in heard) stations.countPlay(heard.url);
    },
    streamHeard: stations.countOk,
  });
  const system = createSystemService({
    version,
    clock,
    freeMemory: freemem,
    measureStorage: () => measureStorage(dataFolder),
    boot_failures: () => [boot_failure ?? [], playback.failure() ?? []].flat(),
  });
  const live = createLiveService({
    events,
    clock,
    log,
    hello: () => ({ version, boot_id, playback: playback.status(), settings: settings.get() }),
  });
  const app = await createPlayerApp({
    ...parts,
    events,
    playback,
    library,
    favorites,
    stations,
    settings,
    system,
    live,
  });

  const stopWatching = library.onCard((change) => {
    if (change === "pulled") playback.cardPulled();
    else void playback.autoResume();
  });

  return {
    app,
    async start() {
      await streams.start();
      void playback.start();
      void parts.certificate?.keepFresh((renewed) => replaceCertificate(app.server, renewed));
      library.start();
    },
    async close() {
      // First of all the position is saved: whatever hangs later cannot lose it.
      stopWatching();
      parts.certificate?.close();
      await playback.close();
      await closeGracefully(app, clock);
      await Promise.all([library.close(), streams.close()]);
      database.close();
    },
  };
}
