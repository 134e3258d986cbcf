/** What playback needs from an audio engine. Drivers implement it; one contract suite tests all of them. */
export interface AudioEngine {
  /**
   * Opens the engine and tests its output. Rejects with a Problem that names what is missing; may then be called again.
   */
  start(): Promise<void>;
  /** Ends the engine and everything it started. Safe to call twice. */
  close(): Promise<void>;
  /** Replaces the loaded source. Every event about this load carries the returned number. */
  load(source: EngineSource): number;
  pause(): void;
  resume(): void;
  /** Unloads. No event follows. */
  stop(): void;
  seek(positionMs: number): void;
  /** 0..100; kept across loads, restarts and crashes of the engine. */
  setVolume(volume: number): void;
  /**
   * The position of the current load, without a request to the engine. Zeros until audio has run. A live source has no
   * duration.
   */
  place(): Place;
  /** Returns the function that stops listening. */
  onEvent(listener: (event: EngineEvent) => void): () => void;
}

export interface EngineSource {
  /** The absolute path of a file, or the loopback URL of a relayed stream. Never unchecked external input. */
  location: string;
  positionMs: number;
  isPaused: boolean;
  isLive: boolean;
}

export interface Place {
  positionMs: number;
  durationMs: number;
}

/**
 * Commands do not fail: an engine that cannot execute one reports it here. Events about a replaced load are not sent.
 */
export type EngineEvent =
  /** Audio runs: after a load, a seek, a resume, or when enough is buffered again. */
  | { type: "flowing"; load: number }
  /** Audio should run but does not. */
  | { type: "silent"; load: number }
  /** The source was played to its end. */
  | { type: "ended"; load: number }
  /** The source cannot be read or decoded. */
  | { type: "failed"; load: number; why: string }
  /** The output ran out of samples for a moment. */
  | { type: "underrun"; load: number }
  /** The engine died and is being restarted; nothing is loaded any more. */
  | { type: "lost" }
  /** The engine runs again after it died; nothing is loaded. */
  | { type: "back" }
  /** The engine could not be restarted; start() may be called again. */
  | { type: "gone"; why: string };
