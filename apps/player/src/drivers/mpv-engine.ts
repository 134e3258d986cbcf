import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { AudioEngine, EngineEvent } from "../playback/audio-engine.ts";
import type { AudioOutput } from "./mpv-arguments.ts";
import { type LaunchMpv, launchMpvAsChild } from "./mpv-launch.ts";
import { createMpvPlayback, type LoadEvent, type MpvPlayback, OUTPUT_FAILED, REFUSED } from "./mpv-playback.ts";
import { type MpvProcess, startMpv } from "./mpv-process.ts";
import { createPlayhead } from "./playhead.ts";
import { silentWav } from "./silence.ts";

export interface MpvEngineDeps extends AudioOutput {
  clock: Pick<Clock, "deadline" | "monotonicMs" | "sleep">;
  log: Pick<Log, "info" | "warn">;
  command?: string | undefined;
  /** By default mpv is a child process with the given output, device and command. */
  launch?: LaunchMpv | undefined;
}

const BEAT_MS = 1000;
const OUTPUT_TEST_TIMEOUT_MS = 20_000;
const RESTART_WAITS_MS = [0, 250, 500, 1000, 2000, 4000];
// After this time without a crash, the restart delays start again from the first. The deck detects a source that
// crashes mpv.
const PROVEN_AFTER_MS = 1000;

/** Runs mpv and restarts it whenever it dies. */
export function createMpvEngine({ clock, log, output, device, command = "mpv", ...deps }: MpvEngineDeps): AudioEngine {
  const { launch = launchMpvAsChild({ command, output, device }) } = deps;
  const listeners = new Set<(event: EngineEvent) => void>();
  const playhead = createPlayhead(clock);
  const heartbeat = createTimer(clock);
  const restart = createTimer(clock);
  let mpv: MpvProcess | undefined;
  /** Undefined until the output test has passed, and while mpv is not running: commands are dropped then. */
  let playback: MpvPlayback | undefined;
  let opening: Promise<void> | undefined;
  let openedAtMs = 0;
  let restarts = 0;
  let isClosed = false;
  let volume = 100;
  let loads = 0;

  function emit(event: EngineEvent): void {
    for (const listener of listeners) listener(event);
  }

  function emitOfLoad(event: LoadEvent): void {
    // A missing audio device is not an error of the file.
    if (event.type === "failed" && event.why === OUTPUT_FAILED) mpv?.kill(noDevice());
    else emit(event);
  }

  function open(): Promise<void> {
    opening ??= openNow().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function openNow(): Promise<void> {
    const opened = await startMpv({ launch, clock });
    mpv = opened;
    applyVolume();
    const opening = createMpvPlayback(opened, playhead, clock);
    opening.observe();
    try {
      await tryOutput(opened, opening, clock);
      if (isClosed) throw new Problem("failed", "audio: the engine was closed");
    } catch (error) {
      await opened.end();
      throw error;
    }
    playhead.clear();
    playback = opening;
    beat(playback);
    openedAtMs = clock.monotonicMs();
    opened.onDeath((problem) => {
      if (mpv === opened) lose(problem);
    });
  }

  function applyVolume(): void {
    void mpv?.request("set_property", "volume", volume);
  }

  function beat(beaten: MpvPlayback): void {
    heartbeat.set(BEAT_MS, () => {
      void beaten.beat();
      beat(beaten);
    });
  }

  function lose(why: Problem): void {
    log.warn({ why: why.message }, "audio engine exited");
    release();
    if (clock.monotonicMs() - openedAtMs > PROVEN_AFTER_MS) restarts = 0;
    emit({ type: "lost" });
    reopenLater(why.message);
  }

  function release(): void {
    playback = undefined;
    heartbeat.cancel();
    playhead.stand();
  }

  function reopenLater(why: string): void {
    if (isClosed) return;
    const waitMs = RESTART_WAITS_MS[restarts];
    restarts += 1;
    if (waitMs === undefined) emit({ type: "gone", why });
    else restart.set(waitMs, () => void reopen());
  }

  async function reopen(): Promise<void> {
    try {
      await open();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      reopenLater(error.message);
      return;
    }
    log.info({}, "audio engine restarted");
    emit({ type: "back" });
  }

  return {
    async start() {
      if (playback) return;
      isClosed = false;
      restart.cancel();
      restarts = 0;
      await open();
    },

    async close() {
      isClosed = true;
      restart.cancel();
      release();
      const ended = mpv?.end();
      mpv = undefined;
      await ended;
    },

    load(source) {
      loads += 1;
      playhead.clear();
      playback?.load(loads, source, emitOfLoad);
      return loads;
    },

    pause: () => playback?.pause(),
    resume: () => playback?.resume(),
    seek: (positionMs) => playback?.seek(positionMs),

    stop() {
      playback?.stop();
      playhead.clear();
    },

    setVolume(wanted) {
      volume = wanted;
      applyVolume();
    },

    place: () => playhead.place(),

    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function noDevice(): Problem {
  return new Problem("failed", "audio: no audio device could be opened");
}

/**
 * Plays silence to its end, as every other source is played: that proves that an audio device exists and accepts
 * samples, and that this mpv understands how sources are loaded.
 */
function tryOutput(mpv: MpvProcess, playback: MpvPlayback, clock: Pick<Clock, "deadline">): Promise<void> {
  return new Promise((resolve, reject) => {
    mpv.onDeath(reject);
    clock.deadline(OUTPUT_TEST_TIMEOUT_MS).addEventListener("abort", () => reject(noDevice()));
    const location = `hex://${silentWav(20).toString("hex")}`;
    playback.load(0, { location, positionMs: 0, isPaused: false, isLive: false }, (event) => {
      if (event.type === "ended") resolve();
      if (event.type === "failed") reject(event.why.startsWith(REFUSED) ? refusedLoad(event.why) : noDevice());
    });
  });
}

function refusedLoad(why: string): Problem {
  return new Problem("failed", `audio: this version of mpv cannot be used (${why})`);
}
