import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Events } from "../events.ts";
import type { StreamsService } from "../streams/streams.service.ts";
import type { AudioEngine, Place } from "./audio-engine.ts";
import { createDeck } from "./deck.ts";
import type { Interruption, InterruptionEnd, Sound } from "./interruption.ts";
import type { LoudnessService } from "./loudness.service.ts";
import type { RecitationService } from "./recitation.service.ts";

export interface InterruptionServiceDeps {
  engine: AudioEngine;
  streams: Pick<StreamsService, "open">;
  recitation: Pick<RecitationService, "isAudible" | "suspend" | "unsuspend" | "pause">;
  loudness: Pick<LoudnessService, "fadeOut" | "override" | "restoreVolume">;
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  /** Called whenever the playback status changes. */
  changed: () => void;
}

interface Current {
  wanted: Interruption;
  /** Undefined until the former source has faded out. */
  sounding?: { sound: Sound; state: "playing" | "buffering" } | undefined;
  settle: (how: InterruptionEnd) => void;
}

const FADE_MS = 500;
const POSITION_INTERVAL_MS = 5000;

/** Takes the engine from the recitation for a while, and returns it in the same state. */
export function createInterruptionService(deps: InterruptionServiceDeps) {
  const { engine, streams, recitation, loudness, events, clock, changed } = deps;
  const ticker = createTimer(clock);
  const waiting = new Set<() => void>();
  let current: Current | undefined;
  let reservations = 0;
  const deck = createDeck({
    engine,
    openStream: streams.open,
    clock,
    listener: {
      flowing: () => setState("playing"),
      silent: () => setState("buffering"),
      underrun: () => undefined,
      ended: onEnded,
      failed: onFailed,
      streamChanged: () => undefined,
      titled: () => undefined,
      gaveUp: () => undefined,
      gone: onGone,
    },
  });

  function setState(state: "playing" | "buffering"): void {
    if (!current?.sounding) return;
    current.sounding.state = state;
    changed();
  }

  function takeEngine(): void {
    if (!current) return;
    recitation.suspend();
    tick();
    begin(current);
  }

  function begin(mine: Current): void {
    loudness.override(mine.wanted.volume);
    sound(mine, mine.wanted);
  }

  function sound(mine: Current, { path, name }: Sound): void {
    mine.sounding = { sound: { path, name }, state: "playing" };
    deck.play({ kind: "file", file: { absolute: path, path: name, reciter: "", surah: 0 } }, 0);
    changed();
  }

  function tick(): void {
    ticker.set(POSITION_INTERVAL_MS, () => {
      const { positionMs, durationMs } = deck.place();
      events.emit("position", { position: Math.round(positionMs), duration: Math.round(durationMs) });
      tick();
    });
  }

  /**
   * Leaves the recitation suspended: the caller decides how it continues. Returns whether an interruption was active.
   */
  function end(how: InterruptionEnd): boolean {
    if (!current) return false;
    const { settle } = current;
    current = undefined;
    ticker.cancel();
    deck.stop();
    loudness.restoreVolume();
    settle(how);
    releaseWaiting();
    return true;
  }

  const isBusy = () => current !== undefined || reservations > 0;

  function releaseWaiting(): void {
    if (isBusy()) return;
    for (const free of waiting) free();
    waiting.clear();
  }

  function onEnded(): void {
    finish("ended");
  }

  function finish(how: InterruptionEnd): void {
    const staysPaused = current?.wanted.after === "stay_paused";
    end(how);
    if (staysPaused) recitation.pause();
    recitation.unsuspend();
  }

  function onFailed(why: string): void {
    if (!current?.sounding) return;
    const { wanted, sounding } = current;
    events.emit("error", { code: "file", message: `track: ${why}` });
    if (wanted.fallback && sounding.sound.path !== wanted.fallback.path) sound(current, wanted.fallback);
    else finish("stopped");
  }

  function onGone(): void {
    if (end("lost")) recitation.unsuspend();
  }

  function stopEarly(): boolean {
    const isChanging = end("stopped");
    recitation.unsuspend();
    return isChanging;
  }

  return {
    isOn: () => current !== undefined,
    /** The same object until it ends or another one replaces it. */
    current: (): Interruption | undefined => current?.wanted,
    isBusy,
    end,
    stopEarly,

    /**
     * What plays instead of the recitation; undefined without an interruption, or while the former source is still
     * fading out.
     */
    shown(): { state: "playing" | "buffering"; name: string; place: Place } | undefined {
      if (!current?.sounding) return undefined;
      const { sound: played, state } = current.sounding;
      return { state, name: played.name, place: deck.place() };
    },

    /** Resolves when the interruption has ended. A second one replaces the first. */
    play(wanted: Interruption): Promise<InterruptionEnd> {
      const former = current;
      return new Promise((resolve) => {
        current = { wanted, settle: resolve };
        former?.settle("replaced");
        if (former?.sounding) begin(current);
        else if (!former && recitation.isAudible()) loudness.fadeOut(FADE_MS, takeEngine);
        else if (!former) takeEngine();
      });
    },

    /** Keeps the place of an interruption that is being prepared. Returns the function that gives the place up. */
    reserve(): () => void {
      reservations += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        reservations -= 1;
        releaseWaiting();
      };
    },

    /** Resolves when no interruption is active or reserved; immediately if there is none. */
    async over(): Promise<void> {
      while (isBusy()) await new Promise<void>((resolve) => waiting.add(resolve));
    },

    close(): void {
      ticker.cancel();
      deck.stop();
      deck.close();
    },
  };
}
