import type { FakeClock } from "@kit/clock/fake";
import { Problem } from "@kit/problem";
import { createSimulatedEngine } from "../src/drivers/simulated-engine.ts";
import type { AudioEngine, EngineEvent, EngineSource } from "../src/playback/audio-engine.ts";

/** The simulated engine with files that exist only by name, streams without a network, and crashes. */
export interface MortalEngine extends AudioEngine {
  /** How long each location has sounded, in milliseconds. */
  soundedMs(location: string): number;
  /** Crashes now, and recovers after this time. */
  die(ms: number): void;
  /** Dies for good: it runs again when it is started after this time. */
  vanish(ms: number): void;
  /** If the file that plays is in this folder, it cannot be read any more. */
  breakFile(folder: string): void;
  setNetwork(isUp: boolean): void;
}

export interface MortalEngineDeps {
  clock: FakeClock;
  /** Undefined when the file cannot be read. */
  durationMs: (location: string) => number | undefined;
}

export function createMortalEngine({ clock, durationMs }: MortalEngineDeps): MortalEngine {
  const listeners = new Set<(event: EngineEvent) => void>();
  const simulated = createSimulatedEngine({ clock, readDurationMs: async (location) => durationMs(location) });
  const sounded = new Map<string, number>();
  let flowing: { location: string; sinceMs: number } | undefined;
  let current: { load: number; source: EngineSource } | undefined;
  let isDead = false;
  let deadUntilMs = 0;
  let isUp = true;
  let loads = 0;

  function emit(event: EngineEvent): void {
    for (const listener of listeners) listener(event);
  }

  function halt(): void {
    if (!flowing) return;
    const { location, sinceMs } = flowing;
    sounded.set(location, (sounded.get(location) ?? 0) + clock.monotonicMs() - sinceMs);
    flowing = undefined;
  }

  simulated.onEvent((event) => {
    if (!("load" in event) || !current) return;
    halt();
    const { load, source } = current;
    if (event.type === "flowing") flowing = { location: source.location, sinceMs: clock.monotonicMs() };
    if (event.type === "ended" || event.type === "failed") current = undefined;
    emit({ ...event, load });
  });

  function unload(): void {
    halt();
    current = undefined;
    simulated.stop();
  }

  /** A live source sounds as long as there is a network. */
  function playLive(): void {
    if (!current?.source.isLive) return;
    const { load, source } = current;
    if (isUp) flowing = { location: source.location, sinceMs: clock.monotonicMs() };
    else halt();
    emit({ type: isUp ? "flowing" : "silent", load });
  }

  return {
    ...simulated,

    async start() {
      if (clock.monotonicMs() < deadUntilMs) throw new Problem("failed", "audio: no audio device could be opened");
      isDead = false;
    },

    load(source) {
      loads += 1;
      halt();
      current = isDead ? undefined : { load: loads, source };
      if (isDead) return loads;
      if (source.isLive) {
        simulated.stop();
        void clock.sleep(200).then(playLive);
      } else simulated.load(source);
      return loads;
    },

    pause() {
      halt();
      simulated.pause();
    },

    stop: unload,

    soundedMs(location) {
      const now = flowing?.location === location ? clock.monotonicMs() - flowing.sinceMs : 0;
      return (sounded.get(location) ?? 0) + now;
    },

    die(ms) {
      if (isDead) return;
      unload();
      isDead = true;
      emit({ type: "lost" });
      void clock.sleep(ms).then(() => {
        isDead = false;
        emit({ type: "back" });
      });
    },

    vanish(ms) {
      if (isDead) return;
      unload();
      isDead = true;
      deadUntilMs = clock.monotonicMs() + ms;
      emit({ type: "lost" });
      emit({ type: "gone", why: "audio: no audio device could be opened" });
    },

    breakFile(folder) {
      if (!current?.source.location.startsWith(folder)) return;
      const { load } = current;
      unload();
      emit({ type: "failed", load, why: "it cannot be read" });
    },

    setNetwork(next) {
      isUp = next;
      playLive();
    },

    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
