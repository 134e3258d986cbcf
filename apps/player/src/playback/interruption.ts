export interface Sound {
  /** The absolute path of its file. */
  path: string;
  /** What clients are shown as the track. */
  name: string;
}

/** A sound that is heard instead of everything else, for as long as it lasts. */
export interface Interruption extends Sound {
  /** 0 keeps the listener's. */
  volume: number;
  /** What is played when the file cannot be. */
  fallback?: Sound | undefined;
  /** What becomes of the former source after the end; it goes on unless this says otherwise. */
  after?: "resume" | "stay_paused";
}

/** Heard to its end; cut short; ended by a pause; ended by something else that is heard now. */
export type InterruptionEnd = "ended" | "stopped" | "paused" | "replaced";
