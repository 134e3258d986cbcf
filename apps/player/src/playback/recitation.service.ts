import type { Clock } from "@kit/clock";
import type { Events } from "../events.ts";
import type { LibraryService } from "../library/library.service.ts";
import type { ErrorCode } from "../live/errors.ts";
import type { StreamsService } from "../streams/streams.service.ts";
import {
  type Advance,
  type AdvanceMode,
  afterEnd,
  afterFailure,
  buildHifzBody,
  isHifz,
  type Listening,
} from "./advance.ts";
import type { AudioEngine } from "./audio-engine.ts";
import { createDeck } from "./deck.ts";
import type { HifzDaysStore } from "./hifz-days.store.ts";
import { createPlayCounter } from "./play-counter.ts";
import type { HifzBody, PlaybackState } from "./playback.schema.ts";
import type { ResumeService } from "./resume.service.ts";
import { type CountedPlay, type Source, toCountedPlay } from "./source.ts";
import { createTimer } from "./timer.ts";
import type { TryWrite } from "./try-write.ts";

export interface RecitationServiceDeps {
  engine: AudioEngine;
  library: Pick<LibraryService, "find" | "available">;
  streams: Pick<StreamsService, "open">;
  resume: ResumeService;
  hifzDays: HifzDaysStore;
  tryWrite: TryWrite;
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  /** The local date, as YYYY-MM-DD. */
  today: () => string;
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
  const { engine, library, streams, resume, hifzDays, tryWrite, events, clock, today, onCountedPlay, onStreamPlayed } =
    deps;
  const { changed, onEngineGone } = deps;
  const gap = createTimer(clock);
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
  let counted = { date: "", count: 0 };
  /** Runs when the gap between two play-throughs is over. */
  let afterGap: (() => void) | undefined;
  let gapEndsAtMs = 0;
  /** The remaining time of a gap that an interruption stopped. */
  let gapLeftMs: number | undefined;

  function setState(next: PlaybackState): void {
    state = next;
    if (next !== "playing") {
      ticker.cancel();
      playCounter.rest();
    }
    changed();
  }

  function hifz(): HifzBody | undefined {
    return buildHifzBody(mode, repeat_done, gap.isSet());
  }

  /** Read from the store once a day, because the status is requested all the time. */
  function hifz_today(): number {
    if (counted.date !== today()) counted = { date: today(), count: hifzDays.count(today()) };
    return counted.count;
  }

  function emitHifz(phase: "playing" | "gap" | "done"): void {
    const body = hifz();
    if (body) events.emit("hifz", { phase, ...body });
  }

  function savePosition(was_running: boolean): void {
    if (source?.kind !== "file" || state === "stopped") return;
    // In the gap after a play-through there is nothing left of it, so the position is 0.
    resume.save(source.file, afterGap ? 0 : deck.place().positionMs, was_running);
  }

  function tick(round: number): void {
    ticker.set(POSITION_INTERVAL_MS, () => {
      const { positionMs, durationMs } = deck.place();
      events.emit("position", { position: Math.round(positionMs), duration: Math.round(durationMs) });
      if (round % SAVE_EVERY === 0) savePosition(true);
      tick(round + 1);
    });
  }

  /** Starts to play a source, whatever was playing before. */
  function start(next: Source, positionMs: number): void {
    if (next.kind === "stream") savePosition(false);
    cancelGap();
    source = next;
    deck.play(next, positionMs);
    playCounter.begin(() => {
      const counted = toCountedPlay(next);
      if (counted) tryWrite(() => onCountedPlay(counted));
    });
    if (next.kind === "file") resume.save(next.file, positionMs, true);
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
    savePosition(false);
    halt();
    events.emit("error", { code, message });
  }

  function onFlowing(): void {
    failures = 0;
    playCounter.flow(deck.place().durationMs);
    if (source?.kind === "stream") {
      const { url } = source;
      tryWrite(() => onStreamPlayed(url));
    }
    setState("playing");
    if (!ticker.isSet()) tick(1);
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

  function listening(): Listening | undefined {
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
    if (isHifz(mode)) {
      repeat_done += 1;
      counted = { date: today(), count: hifz_today() + 1 };
      tryWrite(() => hifzDays.add(today()));
    }
    advance(afterEnd(mode, repeat_done, listening()));
  }

  function advance(next: Advance): void {
    if (next.step === "stop") {
      resume.clear();
      halt();
      emitHifz("done");
      return;
    }
    const begin = () => playNext(next);
    if (next.pause_s === 0) {
      begin();
      return;
    }
    afterGap = begin;
    beginGap(next.pause_s * 1000, begin);
    savePosition(true);
    setState("playing");
    emitHifz("gap");
  }

  function beginGap(ms: number, begin: () => void): void {
    gapEndsAtMs = clock.monotonicMs() + ms;
    gap.set(ms, begin);
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
    hifz_today,

    /** Reads today's count from the store again. */
    recount(): void {
      counted = { date: "", count: 0 };
    },
    mode: () => mode,
    listening,
    giveUp,

    setMode(wanted: AdvanceMode): void {
      mode = wanted;
      repeat_done = 0;
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
        savePosition(false);
      }
      setState(state);
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
        savePosition(true);
      } else changed();
      return isChanging;
    },

    stop(): boolean {
      const isChanging = state !== "stopped";
      savePosition(false);
      halt();
      return isChanging;
    },

    seek(positionMs: number): void {
      cancelGap();
      deck.seek(positionMs);
      savePosition(state !== "paused");
      changed();
    },

    /** Whether sound is playing that a listener would notice being interrupted. */
    isAudible: () => state === "playing" && !gap.isSet(),

    /**
     * Freezes the current state and leaves the engine to an interruption. Commands change how it continues afterwards.
     */
    suspend(): void {
      savePosition(state !== "paused");
      gapLeftMs = gap.isSet() ? gapEndsAtMs - clock.monotonicMs() : undefined;
      gap.cancel();
      ticker.cancel();
      playCounter.rest();
      deck.suspend();
    },

    /** After an interruption: continues exactly as before, or as a command changed it in the meantime. */
    unsuspend(): void {
      if (!deck.isSuspended()) return;
      deck.unsuspend();
      if (state === "playing" && afterGap && gapLeftMs !== undefined) beginGap(gapLeftMs, afterGap);
      setState(state === "buffering" ? "playing" : state);
    },

    close(): void {
      savePosition(state !== "paused");
      gap.cancel();
      ticker.cancel();
      playCounter.rest();
      deck.stop();
      deck.close();
    },
  };
}
