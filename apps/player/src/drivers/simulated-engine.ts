import { type ClientRequest, get, type IncomingMessage } from "node:http";
import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { AudioEngine, EngineEvent, EngineSource } from "../playback/audio-engine.ts";
import { createPlayhead } from "./playhead.ts";

interface LoadedSource {
  load: number;
  source: EngineSource;
  /** The position at which it continues. */
  positionMs: number;
  /** Known after the file was read; 0 for a live source. */
  durationMs?: number;
  isPaused: boolean;
  isFlowing: boolean;
  request?: ClientRequest;
  response?: IncomingMessage;
}

const LULL_MS = 500;
const CANNOT_BE_READ = "it cannot be read as audio";

export interface SimulatedEngineDeps {
  clock: Pick<Clock, "monotonicMs" | "sleep">;
  /** The duration of a file; undefined when it cannot be read as audio. By default the file itself is read. */
  readDurationMs?: (path: string) => Promise<number | undefined>;
}

/** Makes no sound but takes as long as the real engine: it reads real file durations and downloads real streams. */
export function createSimulatedEngine({ clock, readDurationMs = readFileMs }: SimulatedEngineDeps): AudioEngine {
  const listeners = new Set<(event: EngineEvent) => void>();
  const playhead = createPlayhead(clock);
  // Waits for the next step of the current load: its start, its end, or the next byte.
  const timer = createTimer(clock);
  let current: LoadedSource | undefined;
  let loads = 0;

  function emit(event: EngineEvent): void {
    for (const listener of listeners) listener(event);
  }

  function halt(mine: LoadedSource): void {
    timer.cancel();
    if (mine.isFlowing) mine.positionMs = playhead.place().positionMs;
    mine.isFlowing = false;
    playhead.stand();
  }

  function unload(mine: LoadedSource): void {
    halt(mine);
    mine.request?.destroy();
    current = undefined;
  }

  function flow(mine: LoadedSource): void {
    const { load, positionMs, durationMs = 0 } = mine;
    mine.isFlowing = true;
    playhead.run({ positionMs, durationMs });
    if (!mine.source.isLive) timer.set(durationMs - positionMs, () => end(mine));
    emit({ type: "flowing", load });
  }

  /** Deferred: a command returns before its events are sent. */
  function flowSoon(mine: LoadedSource): void {
    timer.set(0, () => flow(mine));
  }

  function end(mine: LoadedSource): void {
    if (mine !== current) return;
    unload(mine);
    if (mine.durationMs) playhead.stand(mine.durationMs);
    emit({ type: "ended", load: mine.load });
  }

  function fail(mine: LoadedSource): void {
    if (mine !== current) return;
    unload(mine);
    emit({ type: "failed", load: mine.load, why: CANNOT_BE_READ });
  }

  async function open(mine: LoadedSource): Promise<void> {
    const durationMs = await readDurationMs(mine.source.location);
    if (mine !== current) return;
    if (durationMs === undefined) return fail(mine);
    mine.durationMs = durationMs;
    if (!mine.isPaused) flowSoon(mine);
  }

  function listen(mine: LoadedSource): void {
    mine.request = get(mine.source.location, (response) => {
      if (response.statusCode !== 200) return fail(mine);
      mine.response = response;
      response.on("data", () => onData(mine));
      // Also after an error: a connection that breaks has ended.
      response.on("error", () => end(mine));
      response.on("close", () => end(mine));
      if (mine.isPaused) response.pause();
    });
    mine.request.on("error", () => fail(mine));
  }

  function onData(mine: LoadedSource): void {
    if (mine !== current) return;
    if (!mine.isFlowing) flow(mine);
    timer.set(LULL_MS, () => {
      halt(mine);
      emit({ type: "silent", load: mine.load });
    });
  }

  return {
    start: () => Promise.resolve(),

    close() {
      if (current) unload(current);
      return Promise.resolve();
    },

    load(source) {
      if (current) unload(current);
      playhead.clear();
      loads += 1;
      const { positionMs, isPaused } = source;
      current = { load: loads, source, positionMs, isPaused, isFlowing: false };
      if (source.isLive) listen(current);
      else void open(current);
      return loads;
    },

    pause() {
      if (!current) return;
      halt(current);
      current.isPaused = true;
      current.response?.pause();
    },

    resume() {
      if (!current?.isPaused) return;
      current.isPaused = false;
      current.response?.resume();
      if (current.durationMs !== undefined) flowSoon(current);
    },

    seek(positionMs) {
      const mine = current;
      if (!mine || mine.source.isLive) return;
      mine.positionMs = positionMs;
      playhead.stand(positionMs);
      if (mine.durationMs !== undefined && !mine.isPaused) flowSoon(mine);
    },

    stop() {
      if (current) unload(current);
      playhead.clear();
    },

    setVolume: () => undefined,

    place: () => playhead.place(),

    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function readFileMs(path: string): Promise<number | undefined> {
  const { parseFile } = await import("music-metadata");
  try {
    const { format } = await parseFile(path, { duration: true, skipCovers: true });
    return format.duration === undefined ? undefined : format.duration * 1000;
  } catch (error) {
    // Any error of a file is reported as a file that cannot be read.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
