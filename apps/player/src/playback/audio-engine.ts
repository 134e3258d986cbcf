/** What playback needs from any engine that makes sound. Drivers implement it; one contract suite holds for all of them. */
export interface AudioEngine {
  /** Opens the engine and tries its output. Rejects with a Problem that names what is missing; may then be called again. */
  start(): Promise<void>;
  /** Ends the engine and everything it started. Safe to call twice. */
  close(): Promise<void>;
  /** Replaces what is loaded. The number it answers comes back with every event about this load. */
  load(source: EngineSource): number;
  pause(): void;
  resume(): void;
  /** Unloads. No event follows. */
  stop(): void;
  seek(positionMs: number): void;
  /** 0..100; kept over loads, restarts and deaths of the engine. */
  setVolume(volume: number): void;
  /** Where the current load stands, without asking the engine. Zeros until audio has run. A live source has no duration. */
  place(): Place;
  /** Returns the function that stops listening. */
  onEvent(listener: (event: EngineEvent) => void): () => void;
}

export interface EngineSource {
  /** An absolute path of a file, or the loopback URL of a relayed stream. Never anything from outside as it came. */
  location: string;
  positionMs: number;
  isPaused: boolean;
  isLive: boolean;
}

export interface Place {
  positionMs: number;
  durationMs: number;
}

/** Commands do not fail: an engine that cannot obey says so here. Events about a replaced load are not sent. */
export type EngineEvent =
  /** Audio runs: after a load, a seek, a resume, or when enough is buffered again. */
  | { type: "flowing"; load: number }
  /** Audio should run and does not. */
  | { type: "silent"; load: number }
  /** The source was heard to its end. */
  | { type: "ended"; load: number }
  /** The source cannot be read or decoded. */
  | { type: "failed"; load: number; why: string }
  /** The output ran dry for a moment. */
  | { type: "underrun"; load: number }
  /** The engine died and is being restarted; nothing is loaded any more. */
  | { type: "lost" }
  /** The engine is back after its death; nothing is loaded. */
  | { type: "back" }
  /** The engine did not come back; start() may be called again. */
  | { type: "gone"; why: string };
