import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Events } from "../events.ts";
import type { CardFile } from "../library/card-file.ts";
import type { LibraryService } from "../library/library.service.ts";
import type { StreamsService } from "../streams/streams.service.ts";
import {
  type Advance,
  type AdvanceMode,
  afterEnd,
  afterFailure,
  belongsTo,
  buildHifzBody,
  isHifz,
  type RecitationContext,
} from "./advance.ts";
import type { AudioEngine } from "./audio-engine.ts";
import { createDeck } from "./deck.ts";
import type { ErrorCode } from "./errors.ts";
import { createGap } from "./gap.ts";
import { createHifzCount, type HifzCountDeps } from "./hifz-count.ts";
import { createPlayCounter } from "./play-counter.ts";
import type { HifzBody, PlaybackState } from "./playback.schema.ts";
import type { ResumeService } from "./resume.service.ts";
import { BEGINNING_MS } from "./resume-position.ts";
import { type CountedPlay, type Source, toCountedPlay } from "./source.ts";

export interface RecitationServiceDeps extends HifzCountDeps {
  engine: AudioEngine;
  library: Pick<LibraryService, "find" | "available">;
  streams: Pick<StreamsService, "open">;
  resume: ResumeService;
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  /** Called once per play that lasted long enough to count. */
  onCountedPlay: (play: CountedPlay) => void;
  /** Called when audio of a stream plays. */
  onStreamPlayed: (url: string) => void;
  /** Called whenever the playback status changes. */
  changed: () => void;
  /** Called when the engine could not be restarted. */
  onEngineGone: (why: string) => void;
}

export type RecitationService = ReturnType<typeof createRecitationService>;

const POSITION_INTERVAL_MS = 5000;
/** Every sixth position is saved, so a saved position is never older than 30 s. */
const SAVE_EVERY = 6;
const MAX_FAILURES = 5;

/** What plays now and what follows it: the state table of docs/api/player.md, section "Playback states". */
export function createRecitationService(deps: RecitationServiceDeps) {
  const { engine, library, streams, resume, tryWrite, events, clock, onCountedPlay, onStreamPlayed } = deps;
  const { changed, onEngineGone } = deps;
  const hifzCount = createHifzCount(deps);
  const gap = createGap(clock);
  const ticker = createTimer(clock);
  const playCounter = createPlayCounter(clock);
  const deck = createDeck({
    engine,
    openStream: streams.open,
    clock,
    listener: {
      flowing: onFlowing,
      silent: onSilent,
      underrun: onUnderrun,
      ended: onEnded,
      failed: onFailed,
      streamChanged: changed,
      titled: (title) => events.emit("metadata", { title }),
      gaveUp: (problem) => giveUp("stream", problem.message),
      gone: onGone,
    },
  });

  let state: PlaybackState = "stopped";
  /** Stays known after the end, so that next and prev have a starting point. */
  let source: Source | undefined;
  let mode: AdvanceMode = { mode: "off" };
  let repeat_done = 0;
  let underrun_count = 0;
  let failures = 0;
  /** The source has sounded, so its position is worth keeping. */
  let hasSounded = false;
  /** A source began, or ended, in the current hifz mode. */
  let isDrilling = false;
  /** Runs when the gap between two play-throughs is over. */
  let afterGap: (() => void) | undefined;

  function setState(next: PlaybackState): void {
    state = next;
    if (next !== "playing") {
      ticker.cancel();
      playCounter.rest();
    }
    changed();
  }

  function hifz(): HifzBody | undefined {
    return buildHifzBody(mode, repeat_done, gap.leftMs());
  }

  function emitHifz(phase: "playing" | "gap" | "done"): void {
    const body = hifz();
    if (body) events.emit("hifz", { phase, ...body });
  }

  /**
   * The position to save. Read it before the source is stopped, and save it after: a failing store must not keep the
   * sound on.
   */
  function findPlace(): { file: CardFile; positionMs: number } | undefined {
    if (source?.kind !== "file" || state === "stopped") return undefined;
    // In the gap after a play-through there is nothing left of it, so the position is 0.
    if (afterGap) return { file: source.file, positionMs: 0 };
    return hasSounded ? { file: source.file, positionMs: deck.place().positionMs } : undefined;
  }

  function savePlace(place: ReturnType<typeof findPlace>, was_running: boolean): void {
    if (place) resume.save(place.file, place.positionMs, was_running);
  }

  function tick(round: number): void {
    ticker.set(POSITION_INTERVAL_MS, () => {
      const { positionMs, durationMs } = deck.place();
      events.emit("position", { position: Math.round(positionMs), duration: Math.round(durationMs) });
      if (round % SAVE_EVERY === 0) savePlace(findPlace(), true);
      tick(round + 1);
    });
  }

  /** Starts to play a source, whatever was playing before. */
  function start(next: Source, positionMs: number): void {
    const left = findPlace();
    cancelGap();
    source = next;
    hasSounded = false;
    isDrilling ||= isHifz(mode);
    deck.play(next, positionMs);
    playCounter.begin(() => {
      const counted = toCountedPlay(next);
      if (counted) tryWrite(() => onCountedPlay(counted));
    });
    savePlace(left, false);
    setState("playing");
    emitHifz("playing");
  }

  function cancelGap(): void {
    gap.cancel();
    afterGap = undefined;
  }

  function halt(): void {
    cancelGap();
    deck.stop();
    setState("stopped");
  }

  function giveUp(code: ErrorCode, message: string): void {
    const left = findPlace();
    halt();
    savePlace(left, false);
    events.emit("error", { code, message });
  }

  function onFlowing(): void {
    failures = 0;
    playCounter.flow(deck.place().durationMs);
    if (!hasSounded) recordFirstSound();
    setState("playing");
    if (!ticker.isSet()) tick(1);
  }

  /** Once for each start, however often a bad line interrupts the sound. */
  function recordFirstSound(): void {
    hasSounded = true;
    savePlace(findPlace(), true);
    if (source?.kind !== "stream") return;
    const { url } = source;
    tryWrite(() => onStreamPlayed(url));
  }

  function onSilent(isUnderrun: boolean): void {
    if (isUnderrun) underrun_count += 1;
    setState("buffering");
  }

  function onUnderrun(): void {
    // A stream without data is counted as an underrun when its silence is shown.
    if (source?.kind !== "file") return;
    underrun_count += 1;
    changed();
  }

  function listening(): RecitationContext | undefined {
    if (source?.kind !== "file" || source.file.surah === 0) return undefined;
    const available = library.available(source.file.reciter);
    return available && { surah: source.file.surah, available };
  }

  function onEnded(): void {
    // A seek to the end while paused: the source ends when it is resumed.
    if (state === "paused") afterGap = onEnded;
    else finish();
  }

  function finish(): void {
    playCounter.rest();
    forgetPlace();
    if (isHifz(mode)) {
      isDrilling = true;
      repeat_done += 1;
      hifzCount.add();
    }
    const next = afterEnd(mode, repeat_done, listening());
    if (next.step === "stop" || next.pause_s === 0) {
      follow(next);
      return;
    }
    afterGap = endGap;
    gap.begin(next.pause_s * 1000, endGap);
    savePlace(findPlace(), true);
    setState("playing");
    emitHifz("gap");
  }

  /** Decides again, because the mode or the card may have changed during the gap. */
  function endGap(): void {
    cancelGap();
    forgetPlace();
    follow(afterEnd(mode, repeat_done, listening()));
  }

  function follow(next: Advance): void {
    if (next.step !== "stop") {
      playNext(next);
      return;
    }
    halt();
    emitHifz("done");
  }

  function forgetPlace(): void {
    hasSounded = false;
    if (source?.kind === "file") resume.clear(source.file);
  }

  function playNext(next: Exclude<Advance, { step: "stop" }>): void {
    if (source?.kind !== "file") return;
    const isAgain = next.step === "again";
    const file = isAgain ? source.file : library.find(source.file.reciter, next.surah);
    if (!isAgain) repeat_done = 0;
    if (file) start({ kind: "file", file }, 0);
    // The card has changed since this step was chosen.
    else onFailed("the next surah is not on the card any more");
  }

  function onFailed(why: string): void {
    failures += 1;
    const isHopeless = failures >= MAX_FAILURES;
    if (source?.kind === "stream") {
      if (isHopeless) giveUp("stream", `stream: ${why}`);
      else deck.retry();
      return;
    }
    // A file that fails at its beginning must not take the place of one that was left in the middle.
    if (deck.place().positionMs < BEGINNING_MS) forgetPlace();
    const next = afterFailure(mode, listening());
    if (isHopeless || next.step === "stop") giveUp("file", `track: ${why}`);
    else playNext(next);
  }

  function onGone(why: string): void {
    onEngineGone(why);
    if (state !== "stopped") giveUp("audio", why);
  }

  return {
    state: () => state,
    source: () => source,
    place: deck.place,
    title: deck.title,
    retryInMs: deck.retryInMs,
    underrun_count: () => underrun_count,
    hifz,
    hifz_today: hifzCount.get,

    mode: () => mode,
    listening,
    giveUp,

    /** Set `hasBegun` when the mode comes together with the source that is playing. */
    setMode(wanted: AdvanceMode, hasBegun: boolean): void {
      mode = wanted;
      repeat_done = 0;
      isDrilling = hasBegun && isHifz(wanted);
      // A gap belongs to its drill: with another mode it is over at once.
      gap.shortenTo(isHifz(wanted) ? wanted.pause_s * 1000 : 0);
    },

    /** Whether this choice ends the drill: something else than what it repeats. */
    endsDrill(next: Source): boolean {
      return isDrilling && !belongsTo(mode, source, next);
    },

    /** After a reset nothing is known of what was played. */
    forget(): void {
      source = undefined;
      underrun_count = 0;
      hifzCount.reload();
    },

    /** A user requested this source, so all counters restart. */
    begin(next: Source, positionMs: number): void {
      failures = 0;
      repeat_done = 0;
      start(next, positionMs);
    },

    /** Returns whether the state changed; so do the next two. */
    pause(): boolean {
      const isChanging = state === "playing" || state === "buffering";
      if (isChanging) {
        gap.cancel();
        deck.pause();
        state = "paused";
      }
      setState(state);
      if (isChanging) savePlace(findPlace(), false);
      return isChanging;
    },

    resume(): boolean {
      const begin = afterGap;
      const isChanging = state === "paused" || begin !== undefined;
      if (begin) {
        cancelGap();
        state = "playing";
        begin();
      } else if (isChanging) {
        deck.resume();
        setState("playing");
        savePlace(findPlace(), true);
      } else changed();
      return isChanging;
    },

    stop(): boolean {
      const isChanging = state !== "stopped";
      const left = findPlace();
      halt();
      savePlace(left, false);
      return isChanging;
    },

    seek(positionMs: number): void {
      cancelGap();
      deck.seek(positionMs);
      changed();
      savePlace(findPlace(), state !== "paused");
    },

    /** Whether sound is playing that a listener would notice being interrupted. */
    isAudible: () => state === "playing" && !gap.isOn(),

    /**
     * Freezes the current state and leaves the engine to an interruption. Commands change how it continues afterwards.
     */
    suspend(): void {
      const left = findPlace();
      gap.suspend();
      ticker.cancel();
      playCounter.rest();
      deck.suspend();
      savePlace(left, state !== "paused");
    },

    /** After an interruption: continues exactly as before, or as a command changed it in the meantime. */
    unsuspend(): void {
      if (!deck.isSuspended()) return;
      deck.unsuspend();
      if (state === "playing") gap.unsuspend();
      else gap.cancel();
      setState(state === "buffering" ? "playing" : state);
    },

    close(): void {
      const left = findPlace();
      gap.cancel();
      ticker.cancel();
      playCounter.rest();
      deck.stop();
      deck.close();
      savePlace(left, state !== "paused");
    },
  };
}
