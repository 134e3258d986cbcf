import type { Clock } from "@kit/clock";
import type { Problem } from "@kit/problem";
import type { Stream, StreamEvent } from "../streams/stream.ts";
import type { AudioEngine, EngineEvent, Place } from "./audio-engine.ts";
import type { Source } from "./source.ts";
import { createTimer } from "./timer.ts";

export interface DeckDeps {
  engine: AudioEngine;
  openStream: (url: string, listener: (event: StreamEvent) => void) => Stream;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  listener: DeckListener;
}

/** What happens to the held source without being asked for. None of it is told while it is paused, except the end. */
export interface DeckListener {
  flowing(): void;
  /** No sound for a while. An underrun when there had been some. */
  silent(isUnderrun: boolean): void;
  underrun(): void;
  ended(): void;
  failed(why: string): void;
  /** The stream is away, is back, or has another title. */
  streamChanged(): void;
  titled(title: string): void;
  /** It will not be heard any more. */
  gaveUp(problem: Problem): void;
  gone(why: string): void;
}

interface Held {
  source: Source;
  isPaused: boolean;
  /** Where it stands while the engine cannot tell. */
  place: Place;
  load?: number | undefined;
  /** The engine has caught up with the last load or seek and tells the place. */
  isSettled: boolean;
  hasFlowed: boolean;
  isEnded: boolean;
  stream?: Stream | undefined;
  title: string;
  retryAtMs?: number | undefined;
  /** How often in a row the engine died at the same place of it. */
  deaths: { count: number; atMs: number };
}

// Less than the 500 ms after which silence must be shown, by what a timer may be late.
const SILENCE_MS = 450;
// A source of which the engine dies again and again is not given to it for ever.
const MAX_DEATHS = 5;
const SAME_PLACE_MS = 500;

/**
 * Holds one source and makes it sound, whatever happens to the engine or the network: it starts both again by itself.
 * What comes next, and what a listener is told, is decided elsewhere.
 */
export function createDeck({ engine, openStream, clock, listener }: DeckDeps) {
  const silence = createTimer(clock);
  let held: Held | undefined;
  let isEngineLost = false;
  /** Something else is heard on the same engine. */
  let isSuspended = false;

  function place(): Place {
    if (!held) return { positionMs: 0, durationMs: 0 };
    return held.load !== undefined && held.isSettled ? engine.place() : held.place;
  }

  function begin(mine: Held): void {
    mine.hasFlowed = false;
    mine.isSettled = false;
    mine.isEnded = false;
    // It begins when the engine is back, or is free again.
    if (isEngineLost || isSuspended) return;
    awaitSound();
    if (mine.source.kind === "stream") {
      mine.stream = openStream(mine.source.url, (event) => onStream(mine, event));
      return;
    }
    const { positionMs } = mine.place;
    mine.load = engine.load({ location: mine.source.file.absolute, positionMs, isPaused: false, isLive: false });
  }

  function awaitSound(): void {
    silence.set(SILENCE_MS, () => listener.silent(held?.hasFlowed ?? false));
  }

  /** Takes the source off the engine and the network; where it stood stays known. */
  function unload(mine: Held): void {
    silence.cancel();
    mine.place = place();
    mine.stream?.close();
    mine.stream = undefined;
    mine.retryAtMs = undefined;
    if (mine.load !== undefined) engine.stop();
    mine.load = undefined;
  }

  function onStream(mine: Held, event: StreamEvent): void {
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
    // What was heard to its end is not begun again.
    if (held.isPaused || held.isEnded || isSuspended) return;
    if (event.type === "lost") {
      countDeath(held);
      listener.silent(false);
    }
    if (isBack) beginAgain(held);
  }

  function countDeath(mine: Held): void {
    const atMs = mine.place.positionMs;
    const isSamePlace = Math.abs(atMs - mine.deaths.atMs) < SAME_PLACE_MS;
    mine.deaths = { count: isSamePlace ? mine.deaths.count + 1 : 1, atMs };
  }

  function beginAgain(mine: Held): void {
    if (mine.deaths.count < MAX_DEATHS) begin(mine);
    else listener.failed("the audio engine dies of it");
  }

  function onLoad(mine: Held, event: Extract<EngineEvent, { load: number }>): void {
    switch (event.type) {
      case "flowing":
        mine.isSettled = true;
        if (mine.isPaused) return;
        mine.hasFlowed = true;
        silence.cancel();
        listener.flowing();
        break;
      case "silent":
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

  function onEnded(mine: Held): void {
    const { durationMs } = place();
    release(mine, { positionMs: durationMs, durationMs });
    // A live stream has no end: it broke.
    if (mine.source.kind === "stream") {
      reconnect(mine);
      return;
    }
    mine.isEnded = true;
    listener.ended();
  }

  /** The engine has let go of it by itself. */
  function release(mine: Held, at: Place): void {
    mine.place = at;
    mine.load = undefined;
    silence.cancel();
  }

  function reconnect(mine: Held): void {
    awaitSound();
    mine.stream?.reconnect();
  }

  const stopListening = engine.onEvent(onEngine);

  return {
    place,
    isSuspended: () => isSuspended,
    title: () => held?.title ?? "",
    retryInMs: () => (held?.retryAtMs === undefined ? undefined : Math.max(0, held.retryAtMs - clock.monotonicMs())),

    /** Replaces what is held. */
    play(source: Source, positionMs: number): void {
      if (held) unload(held);
      isSuspended = false;
      held = createHeld(source, positionMs);
      begin(held);
    },

    /** Tries the same stream again after the engine could not go on with it. */
    retry(): void {
      if (held?.stream) reconnect(held);
      else if (held) begin(held);
    },

    pause(): void {
      if (!held) return;
      held.isPaused = true;
      silence.cancel();
      // A paused live stream would be stale; it is fetched anew.
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
      // What has not begun yet cannot be sought in: it begins there.
      if (held.load !== undefined) engine.stop();
      held.load = undefined;
      if (!held.isPaused) begin(held);
    },

    stop(): void {
      if (held) unload(held);
      held = undefined;
    },

    /** Leaves the engine to somebody else. What is held stays held, where it stands. */
    suspend(): void {
      isSuspended = true;
      if (held) unload(held);
    },

    /** Has the engine again, and goes on with what should be heard. */
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

function createHeld(source: Source, positionMs: number): Held {
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
