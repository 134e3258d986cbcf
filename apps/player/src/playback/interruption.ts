export interface Sound {
  /** The absolute path of its file. */
  path: string;
  /** The track name that clients show. */
  name: string;
}

/** A sound that plays instead of everything else, as long as it lasts. */
export interface Interruption extends Sound {
  /** 0 keeps the listener's volume. */
  volume: number;
  /** Played when the file cannot be played. */
  fallback?: Sound | undefined;
  /** How the former source continues after the end; it resumes by default. */
  after?: "resume" | "stay_paused";
}

/** Played to its end; stopped early; ended by a pause; replaced by another source; lost with the engine. */
export type InterruptionEnd = "ended" | "stopped" | "paused" | "replaced" | "lost";
