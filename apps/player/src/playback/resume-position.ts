/** Where a listener was in a file of the card when it last stood still or the power went. */
export interface ResumePosition {
  path: string;
  reciter: string;
  surah: number;
  position_ms: number;
  /** It was being heard when it was saved: what auto-resume goes by. */
  was_running: boolean;
  saved_at: number;
}

const REWIND_MS = 2000;
const BEGINNING_MS = 10_000;

/** Rewinds a little, so that a listener finds back into the verse; so near the beginning, that is where it starts. */
export function resumeAtMs(position_ms: number): number {
  return position_ms < BEGINNING_MS ? 0 : position_ms - REWIND_MS;
}
