/** The position in a file of the card at the last pause, stop or power cut. */
export interface ResumePosition {
  path: string;
  reciter: string;
  surah: number;
  position_ms: number;
  /** Whether it was playing when the position was saved; auto-resume uses this. */
  was_running: boolean;
  saved_at: number;
}

const REWIND_MS = 2000;
/** Before this, a listener has not got far. */
export const BEGINNING_MS = 10_000;

/** Rewinds a little, so that the listener finds the verse again; near the beginning it starts from 0. */
export function resumeAtMs(position_ms: number): number {
  return position_ms < BEGINNING_MS ? 0 : position_ms - REWIND_MS;
}
