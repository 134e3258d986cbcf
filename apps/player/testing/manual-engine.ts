import type { AudioEngine, EngineEvent, EngineSource, Place } from "../src/playback/audio-engine.ts";

/** An engine that a test controls completely. */
export interface ManualEngine extends AudioEngine {
  /** The sources that were loaded, the newest last. */
  loads: EngineSource[];
  /** Commands other than loads, in order. */
  commands: string[];
  at(place: Place): void;
  /** Sends an event about the newest load. */
  emit(type: "flowing" | "silent" | "ended" | "underrun"): void;
  emit(type: "failed", why: string): void;
  emitLife(event: Exclude<EngineEvent, { load: number }>): void;
  refuseStart(error: Error | undefined): void;
}

/** With `fileMs`, the duration of every file, a file that is loaded sounds at once; else when the test emits it. */
export function createManualEngine(fileMs?: number): ManualEngine {
  const listeners = new Set<(event: EngineEvent) => void>();
  const loads: EngineSource[] = [];
  const commands: string[] = [];
  let place: Place = { positionMs: 0, durationMs: 0 };
  let refusal: Error | undefined;
  const send = (event: EngineEvent) => {
    for (const listener of listeners) listener(event);
  };
  function flow(load: number, durationMs: number): void {
    if (load !== loads.length) return;
    place = { ...place, durationMs };
    send({ type: "flowing", load });
  }
  return {
    loads,
    commands,
    at: (next) => {
      place = next;
    },
    emit: (type: "flowing" | "silent" | "ended" | "underrun" | "failed", why: string = "") =>
      send({ type, load: loads.length, why }),
    emitLife: send,
    refuseStart: (error) => {
      refusal = error;
    },
    start: async () => {
      commands.push("start");
      if (refusal) throw refusal;
    },
    close: async () => {
      commands.push("close");
    },
    load: (source) => {
      place = { positionMs: source.positionMs, durationMs: place.durationMs };
      const load = loads.push(source);
      if (fileMs !== undefined && !source.isLive) queueMicrotask(() => flow(load, fileMs));
      return load;
    },
    pause: () => commands.push("pause"),
    resume: () => commands.push("resume"),
    stop: () => commands.push("stop"),
    seek: (positionMs) => {
      place = { ...place, positionMs };
      commands.push(`seek ${positionMs}`);
    },
    setVolume: (volume) => commands.push(`volume ${volume}`),
    place: () => place,
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
