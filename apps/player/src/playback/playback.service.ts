import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import type { CardFile } from "../library/card-file.ts";
import type { LibraryService } from "../library/library.service.ts";
import type { ModeRequest } from "../settings/advance-mode.schema.ts";
import type { SettingsService } from "../settings/settings.service.ts";
import type { StreamsService } from "../streams/streams.service.ts";
import { findNeighbour, hasAnyInRange, parseAdvanceMode, toModeRequest } from "./advance.ts";
import type { Place } from "./audio-engine.ts";
import { createDurationWait } from "./duration-wait.ts";
import { createInterruptionService } from "./interruption.service.ts";
import type { Interruption, InterruptionEnd } from "./interruption.ts";
import { createLoudnessService } from "./loudness.service.ts";
import type { ModeBody, PlaybackStatus, PlayRequest } from "./playback.schema.ts";
import { createRecitationService, type RecitationServiceDeps } from "./recitation.service.ts";
import { resumeAtMs } from "./resume-position.ts";
import { type Source, toTarget } from "./source.ts";

export interface PlaybackServiceDeps extends Omit<RecitationServiceDeps, "changed" | "onEngineGone"> {
  library: Pick<LibraryService, "resolve" | "find" | "available">;
  streams: Pick<StreamsService, "check" | "checkText" | "open">;
  settings: Pick<SettingsService, "get" | "change" | "mode" | "saveMode" | "onChange">;
  /** Whether this stream was checked when it was saved. */
  isSavedStream: (url: string) => boolean;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Log;
}
export type PlaybackService = ReturnType<typeof createPlaybackService>;

/** Who chooses what is played. */
export type Chooser = "person" | "clock";

const ENGINE_RETRY_MS = 30_000;
const NOWHERE = { positionMs: 0, durationMs: 0 };
const NO_FILE: Pick<CardFile, "path" | "reciter" | "surah"> = { path: "", reciter: "", surah: 0 };

/** The playback commands of the API: they find the requested source and refuse invalid requests. */
export function createPlaybackService(deps: PlaybackServiceDeps) {
  const { engine, library, streams, settings, isSavedStream, resume, tryWrite, events, clock, log } = deps;
  const sleepTimer = createTimer(clock);
  const engineRetry = createTimer(clock);
  const durationWait = createDurationWait(clock);
  const loudness = createLoudnessService(deps);
  const recitation = createRecitationService({
    ...deps,
    changed: onChange,
    onEngineGone: recordFailure,
  });
  const interruptions = createInterruptionService({ ...deps, recitation, loudness, changed: onChange });
  const storedMode = settings.mode();
  if (storedMode) recitation.setMode(parseAdvanceMode(storedMode), false);

  let isClosed = false;
  let sleepAtMs: number | undefined;
  let engineStart: Promise<void> | undefined;
  /** Counts the commands that change what is played: a slow command must not override a later one. */
  let commandCount = 0;
  /** Counts what was chosen, and stops: they replace what was playing, as a pause does not. */
  let choiceCount = 0;
  let failure: { component: "audio"; error: string } | undefined;
  const wasRunning = resume.saved()?.was_running ?? false;

  /** What is audible: an interruption, or else the recitation. */
  function shown(): PlaybackSnapshot {
    const interruption = interruptions.shown();
    if (interruption) {
      const { state, name, place } = interruption;
      return { state, mode: "file", place, file: { ...NO_FILE, path: name }, title: "" };
    }
    const state = recitation.state();
    const source = recitation.source();
    return {
      state,
      mode: state === "stopped" || !source ? "idle" : source.kind,
      place: state === "stopped" ? NOWHERE : recitation.place(),
      file: source?.kind === "file" ? source.file : NO_FILE,
      title: recitation.title(),
    };
  }

  function status(): PlaybackStatus {
    const { state, mode, place, file, title } = shown();
    const source = recitation.source();
    const hifz = recitation.hifz();
    const retryInMs = recitation.retryInMs();
    return {
      state,
      mode,
      position: Math.round(place.positionMs),
      duration: Math.round(place.durationMs),
      volume: loudness.volume(),
      underrun_count: recitation.underrun_count(),
      track: file.path,
      reciter: file.reciter,
      surah_number: file.surah,
      advance_mode: recitation.mode().mode,
      hasResumeState: resume.saved() !== undefined,
      ...(hifz && { hifz }),
      source: source ? toTarget(source) : null,
      title,
      retry_in_s: toSeconds(retryInMs),
      sleep_timer_s: toSeconds(sleepAtMs === undefined ? undefined : sleepAtMs - clock.monotonicMs()),
      hifz_today: recitation.hifz_today(),
    };
  }

  function emitStatus(): void {
    const now = status();
    events.emit("playback", now);
    durationWait.review(now);
  }

  function onChange(): void {
    if (recitation.state() === "stopped" && !interruptions.isOn()) loudness.endLoan();
    emitStatus();
  }

  function recordFailure(why: string): void {
    engineStart = undefined;
    failure = { component: "audio", error: why.replace(/^audio: /, "") };
    // A sound card that is found late must not stay a failure until the next play.
    if (!isClosed) engineRetry.set(ENGINE_RETRY_MS, () => void ensureEngine().catch(ignoreProblem));
  }

  function ignoreProblem(error: unknown): void {
    if (!(error instanceof Problem)) log.error({ err: error }, "audio engine failed to start");
  }

  async function ensureEngine(): Promise<void> {
    engineRetry.cancel();
    engineStart ??= engine.start();
    try {
      await engineStart;
      failure = undefined;
    } catch (error) {
      recordFailure(error instanceof Error ? error.message : "it does not start");
      throw error;
    }
  }

  /**
   * Finds a source and plays it, unless a later command arrived in the meantime. A person ends an interruption by
   * choosing something else; the clock waits for its end.
   */
  async function playFound(
    find: () => Promise<{ found: Source; positionMs: number }>,
    by: Chooser,
    isNeighbour = false,
  ): Promise<PlaybackStatus> {
    commandCount += 1;
    const mine = commandCount;
    const interrupting = interruptions.current();
    const { found, positionMs } = await find();
    await ensureEngine();
    const begin = () => {
      if (mine !== commandCount) return;
      choiceCount += 1;
      interruptions.end("replaced");
      loudness.endFade();
      if (!isNeighbour) loudness.endLoan();
      if (by === "person" && !isNeighbour) endDrill(found);
      recitation.begin(found, positionMs);
    };
    if (by === "clock") await interruptions.over();
    // A person who chose before the adhan began did not mean to end it; the answer does not wait for its end.
    const isAnother = !interrupting || interrupting !== interruptions.current();
    if (interruptions.isBusy() && isAnother) void interruptions.over().then(begin);
    else begin();
    return status();
  }

  async function playNeighbour(direction: 1 | -1, by: Chooser): Promise<PlaybackStatus> {
    return playFound(
      async () => {
        const source = recitation.source();
        const from = recitation.listening();
        if (source?.kind !== "file" || !from) throw invalidField("reciter", "no surah of a reciter is current");
        const surah = findNeighbour(from, direction);
        const file = surah === undefined ? undefined : library.find(source.file.reciter, surah);
        if (!file) {
          const which = direction === 1 ? "next" : "previous";
          throw invalidField("surah_number", `the reciter has no ${which} surah on the card`);
        }
        return { found: { kind: "file", file }, positionMs: 0 };
      },
      by,
      true,
    );
  }

  /** A drill must not continue with a source chosen instead; next and previous move it along. */
  function endDrill(next: Source): void {
    if (recitation.endsDrill(next)) setMode({ mode: "off" });
  }

  function setMode(request: ModeRequest, hasBegun = false): ModeBody {
    const wanted = parseAdvanceMode(request);
    const available = recitation.listening()?.available;
    if (wanted.mode === "hifz_ab" && available && !hasAnyInRange(available, wanted)) {
      throw invalidField("ab", "the reciter has no surah of this range on the card");
    }
    recitation.setMode(wanted, hasBegun);
    tryWrite(() => settings.saveMode(toModeRequest(wanted)), "mode");
    events.emit("mode", mode());
    return mode();
  }

  async function playStream(url: string, isSaved: boolean, by: Chooser): Promise<PlaybackStatus> {
    return playFound(async () => {
      if (isSaved) streams.checkText("url", url);
      else await streams.check("url", url);
      return { found: { kind: "stream", url, isSaved }, positionMs: 0 };
    }, by);
  }

  function mode(): ModeBody {
    const hifz = recitation.hifz();
    return { mode: recitation.mode().mode, ...(hifz && { hifz }) };
  }

  return {
    status,
    /** Resolves when the duration of a file that has just been loaded is known; limited to a second. */
    durationKnown: durationWait.over,
    mode,

    /** Why this device cannot play anything; undefined when it can. */
    failure: () => failure,

    /** Opens the engine. Without an engine all other features still work. */
    async start(): Promise<void> {
      loudness.apply();
      await ensureEngine().catch((error: unknown) => log.error({ err: error }, "no audio"));
    },

    /** Continues what was playing at the power cut, if the owner enabled that and no other command came first. */
    async autoResume(): Promise<void> {
      await interruptions.over();
      if (!settings.get().auto_resume || !wasRunning || commandCount > 0) return;
      await this.resumeSaved("clock").catch((error: unknown) =>
        log.warn({ err: error }, "resume after restart failed"),
      );
    },

    play({ path, url }: PlayRequest, by: Chooser = "person"): Promise<PlaybackStatus> {
      if (path !== undefined && url !== undefined) throw invalidField("path", "must not come together with url");
      if (path !== undefined) return this.playFile(path, 0, by);
      if (url === undefined) throw invalidField("path", "is required unless url is given");
      return playStream(url, isSavedStream(url), by);
    },

    /** A stream whose addresses were checked when it was saved: a router without a line may give wrong ones now. */
    playSavedStream: (url: string, by: Chooser = "person") => playStream(url, true, by),

    /** Continues the file where it was left. */
    continueFile(path: string, by: Chooser = "person"): Promise<PlaybackStatus> {
      return this.playFile(path, resumeAtMs(resume.find(path)?.position_ms ?? 0), by);
    },

    playFile(path: string, positionMs: number, by: Chooser = "person"): Promise<PlaybackStatus> {
      return playFound(async () => ({ found: { kind: "file", file: await library.resolve(path) }, positionMs }), by);
    },

    pause(): boolean {
      commandCount += 1;
      const hasEnded = interruptions.end("paused");
      const isChanging = recitation.pause();
      recitation.unsuspend();
      return isChanging || hasEnded;
    },

    resume(): boolean {
      if (interruptions.isOn()) {
        emitStatus();
        return false;
      }
      const isChanging = recitation.resume();
      if (isChanging) commandCount += 1;
      return isChanging;
    },

    stop(): boolean {
      commandCount += 1;
      choiceCount += 1;
      const hasEnded = interruptions.end("stopped");
      loudness.endFade();
      const isChanging = recitation.stop();
      recitation.unsuspend();
      return isChanging || hasEnded;
    },

    /** The clock stops the recitation: an adhan is played to its end, and nothing continues after it. */
    stopRecitation(): void {
      commandCount += 1;
      choiceCount += 1;
      recitation.stop();
    },

    /** Plays a sound instead of everything else, then continues as before. Resolves when the sound has ended. */
    async interrupt(wanted: Interruption): Promise<InterruptionEnd> {
      await ensureEngine();
      return interruptions.play(wanted);
    },

    /** Keeps the place of a sound that is being prepared, so that the clock starts nothing before it. */
    reserveInterruption: () => interruptions.reserve(),
    isInterrupted: interruptions.isOn,
    /** Whether an interruption plays or is being prepared. */
    isInterruptionDue: interruptions.isBusy,
    /** Stops the interruption and continues as before. Returns whether an interruption was active. */
    endInterruption: interruptions.stopEarly,
    /** Resolves when no interruption is active or reserved; immediately if there is none. */
    untilFree: () => interruptions.over(),
    /** Incremented when something else is chosen or playback is stopped; a pause does not count. */
    choices: () => choiceCount,
    /** Opens the engine if it is not open; rejects with a Problem that names what is missing. */
    openEngine: ensureEngine,

    seek(positionMs: number): PlaybackStatus {
      if (interruptions.isOn()) throw invalidField("position", "the adhan cannot be moved in");
      if (recitation.state() === "stopped") throw invalidField("position", "nothing is playing");
      if (recitation.source()?.kind === "stream") {
        throw invalidField("position", "a live stream has no position");
      }
      recitation.seek(positionMs);
      return status();
    },

    setVolume: (wanted: number): number => loudness.set(wanted),
    /** The volume of what the clock has started: the listener's volume returns when it ends or is replaced. */
    lendVolume(wanted: number): void {
      if (recitation.state() !== "stopped") loudness.lend(wanted);
    },

    /** Fades from silence to the current volume. */
    fadeIn(seconds: number): void {
      if (!interruptions.isOn()) loudness.fadeIn(seconds * 1000);
    },

    next: (by: Chooser = "person") => playNeighbour(1, by),
    prev: (by: Chooser = "person") => playNeighbour(-1, by),

    async resumeSaved(by: Chooser = "person"): Promise<PlaybackStatus> {
      const saved = resume.saved();
      if (!saved) throw invalidField("position", "none is saved");
      return this.playFile(saved.path, resumeAtMs(saved.position_ms), by);
    },

    /** Set `hasBegun` when the mode comes together with the source that is playing. */
    setMode,

    /** The store was erased by a reset: nothing continues as before. */
    reload(): void {
      recitation.setMode(parseAdvanceMode(settings.mode() ?? { mode: "off" }), false);
      recitation.forget();
      this.setSleepTimer(0);
    },

    setSleepTimer(minutes: number): number | null {
      sleepTimer.cancel();
      sleepAtMs = minutes === 0 ? undefined : clock.monotonicMs() + minutes * 60_000;
      if (minutes > 0) {
        sleepTimer.set(minutes * 60_000, () => {
          sleepAtMs = undefined;
          this.stopRecitation();
        });
      }
      emitStatus();
      return status().sleep_timer_s;
    },

    /** The memory card was removed: a file that was playing from it cannot continue. */
    cardRemoved(): void {
      if (recitation.source()?.kind !== "file" || recitation.state() === "stopped") return;
      recitation.giveUp("card", "card: the memory card was pulled out");
    },

    async close(): Promise<void> {
      isClosed = true;
      sleepTimer.cancel();
      engineRetry.cancel();
      durationWait.close();
      loudness.close();
      interruptions.close();
      recitation.close();
      await engine.close();
    },
  };
}

interface PlaybackSnapshot extends Pick<PlaybackStatus, "state" | "mode" | "title"> {
  place: Place;
  file: Pick<CardFile, "path" | "reciter" | "surah">;
}

function toSeconds(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.ceil(ms / 1000);
}
