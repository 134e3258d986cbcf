import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Problem } from "@kit/problem";
import type { Station, Stream, StreamEvent } from "../streams/stream.ts";
import type { AudioEngine, EngineEvent, Place } from "./audio-engine.ts";
import type { Source } from "./source.ts";

export interface DeckDeps {
  engine: AudioEngine;
  openStream: (station: Station, listener: (event: StreamEvent) => void) => Stream;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  listener: DeckListener;
}

/** Events of the held source that no command caused. While it is paused, only the end is reported. */
export interface DeckListener {
  flowing(): void;
  /** No sound for a while. It is an underrun if there was sound before. */
  silent(isUnderrun: boolean): void;
  underrun(): void;
  ended(): void;
  failed(why: string): void;
  /** The stream is unreachable, is connected again, or has a new title. */
  streamChanged(): void;
  titled(title: string): void;
  /** The stream will not be played any more. */
  gaveUp(problem: Problem): void;
  gone(why: string): void;
}

interface DeckState {
  source: Source;
  isPaused: boolean;
  /** The position while the engine does not know it. */
  place: Place;
  load?: number | undefined;
  /** The engine has processed the last load or seek and knows the position. */
  isSettled: boolean;
  hasFlowed: boolean;
  isEnded: boolean;
  stream?: Stream | undefined;
  title: string;
  retryAtMs?: number | undefined;
  /** How many times in a row the engine died at the same position. */
  deaths: { count: number; atMs: number };
}

// Silence must be shown after 500 ms; this is less by the delay that a timer may have.
const SILENCE_MS = 450;
// A source that crashes the engine repeatedly is not loaded again without limit.
const MAX_DEATHS = 5;
const SAME_PLACE_MS = 500;

/**
 * Holds one source and plays it through failures of the engine or the network: it restarts both automatically. The
 * listener decides what is played next and what is reported to clients.
 */
export function createDeck({ engine, openStream, clock, listener }: DeckDeps) {
  const silence = createTimer(clock);
  let held: DeckState | undefined;
  let isEngineLost = false;
  /** Another deck uses the same engine. */
  let isSuspended = false;

  function place(): Place {
    if (!held) return { positionMs: 0, durationMs: 0 };
    return held.load !== undefined && held.isSettled ? engine.place() : held.place;
  }

  function begin(mine: DeckState): void {
    mine.hasFlowed = false;
    mine.isSettled = false;
    mine.isEnded = false;
    // The source begins when the engine is free again, or runs again.
    if (isSuspended) return;
    awaitSound();
    if (isEngineLost) return;
    if (mine.source.kind === "stream") {
      mine.stream = openStream(mine.source, (event) => onStream(mine, event));
      return;
    }
    const { positionMs } = mine.place;
    mine.load = engine.load({ location: mine.source.file.absolute, positionMs, isPaused: false, isLive: false });
  }

  function awaitSound(): void {
    silence.set(SILENCE_MS, () => listener.silent(held?.hasFlowed ?? false));
  }

  /** Removes the source from the engine and the network, and keeps its position. */
  function unload(mine: DeckState): void {
    silence.cancel();
    mine.place = place();
    mine.stream?.close();
    mine.stream = undefined;
    mine.retryAtMs = undefined;
    if (mine.load !== undefined) engine.stop();
    mine.load = undefined;
  }

  function onStream(mine: DeckState, event: StreamEvent): void {
    if (mine !== held || mine.isPaused) return;
    switch (event.type) {
      case "ready":
        mine.isSettled = false;
        mine.load = engine.load({ location: event.location, positionMs: 0, isPaused: false, isLive: true });
        break;
      case "title":
        mine.title = event.title;
        listener.titled(event.title);
        break;
      case "connected":
        mine.retryAtMs = undefined;
        listener.streamChanged();
        break;
      case "waiting":
        mine.retryAtMs = clock.monotonicMs() + event.retryInMs;
        listener.streamChanged();
        break;
      case "failed":
        listener.gaveUp(event.problem);
        break;
      default:
        event satisfies never;
    }
  }

  function onEngine(event: EngineEvent): void {
    if (!("load" in event)) onEngineLife(event);
    else if (held && event.load === held.load) onLoad(held, event);
  }

  function onEngineLife(event: Exclude<EngineEvent, { load: number }>): void {
    const isBack = isEngineLost && event.type === "back";
    isEngineLost = event.type === "lost";
    if (event.type === "gone") listener.gone(event.why);
    if (!held) return;
    if (event.type === "lost") unload(held);
    // A source that was played to its end does not begin again.
    if (held.isPaused || held.isEnded || isSuspended) return;
    if (event.type === "lost") {
      countDeath(held);
      listener.silent(false);
    }
    if (isBack) beginAgain(held);
  }

  function countDeath(mine: DeckState): void {
    const atMs = mine.place.positionMs;
    const isSamePlace = Math.abs(atMs - mine.deaths.atMs) < SAME_PLACE_MS;
    mine.deaths = { count: isSamePlace ? mine.deaths.count + 1 : 1, atMs };
  }

  function beginAgain(mine: DeckState): void {
    if (mine.deaths.count < MAX_DEATHS) begin(mine);
    else listener.failed("the audio engine dies of it");
  }

  function onLoad(mine: DeckState, event: Extract<EngineEvent, { load: number }>): void {
    switch (event.type) {
      case "flowing":
        mine.isSettled = true;
        if (mine.isPaused) return;
        mine.hasFlowed = true;
        mine.stream?.setAudible(true);
        silence.cancel();
        listener.flowing();
        break;
      case "silent":
        mine.stream?.setAudible(false);
        if (!mine.isPaused) awaitSound();
        break;
      case "underrun":
        listener.underrun();
        break;
      case "ended":
        onEnded(mine);
        break;
      case "failed":
        release(mine, place());
        listener.failed(event.why);
        break;
      default:
        event satisfies never;
    }
  }

  function onEnded(mine: DeckState): void {
    const { durationMs } = place();
    release(mine, { positionMs: durationMs, durationMs });
    // A live stream has no end: the connection broke.
    if (mine.source.kind === "stream") {
      reconnect(mine);
      return;
    }
    mine.isEnded = true;
    listener.ended();
  }

  /** The engine itself has unloaded the source. */
  function release(mine: DeckState, at: Place): void {
    mine.place = at;
    mine.load = undefined;
    mine.stream?.setAudible(false);
    silence.cancel();
  }

  function reconnect(mine: DeckState): void {
    awaitSound();
    mine.stream?.reconnect();
  }

  const stopListening = engine.onEvent(onEngine);

  return {
    place,
    isSuspended: () => isSuspended,
    title: () => held?.title ?? "",
    retryInMs: () => (held?.retryAtMs === undefined ? undefined : Math.max(0, held.retryAtMs - clock.monotonicMs())),

    /** Replaces the held source. */
    play(source: Source, positionMs: number): void {
      if (held) unload(held);
      isSuspended = false;
      held = createHeld(source, positionMs);
      begin(held);
    },

    /** Tries the same stream again after the engine could not continue with it. */
    retry(): void {
      if (held?.stream) reconnect(held);
      else if (held) begin(held);
    },

    pause(): void {
      if (!held) return;
      held.isPaused = true;
      silence.cancel();
      // A paused live stream would be outdated, so it is fetched again on resume.
      if (held.source.kind === "stream") unload(held);
      else if (held.load !== undefined) {
        held.place = place();
        engine.pause();
      }
    },

    resume(): void {
      if (!held) return;
      held.isPaused = false;
      if (held.load === undefined) {
        begin(held);
        return;
      }
      awaitSound();
      engine.resume();
    },

    seek(positionMs: number): void {
      if (!held) return;
      const { durationMs } = place();
      held.place = { positionMs: durationMs > 0 ? Math.min(positionMs, durationMs) : positionMs, durationMs };
      held.isSettled = false;
      held.isEnded = false;
      if (held.load !== undefined && held.hasFlowed) {
        if (!held.isPaused) awaitSound();
        engine.seek(held.place.positionMs);
        return;
      }
      // A source that has not begun cannot be seeked: it begins at the new position.
      if (held.load !== undefined) engine.stop();
      held.load = undefined;
      if (!held.isPaused) begin(held);
    },

    stop(): void {
      if (held) unload(held);
      held = undefined;
    },

    /** Leaves the engine to another deck. The held source keeps its position. */
    suspend(): void {
      isSuspended = true;
      if (held) unload(held);
    },

    /** Takes the engine back and continues the source, if it should play. */
    unsuspend(): void {
      isSuspended = false;
      if (held && !held.isPaused && !held.isEnded) begin(held);
    },

    close(): void {
      stopListening();
      silence.cancel();
    },
  };
}

function createHeld(source: Source, positionMs: number): DeckState {
  return {
    source,
    isPaused: false,
    place: { positionMs, durationMs: 0 },
    isSettled: false,
    hasFlowed: false,
    isEnded: false,
    title: "",
    deaths: { count: 0, atMs: 0 },
  };
}
