import { createWav } from "../playback/wav.ts";

const RATE = 8000;

/** A WAV file that contains only silence. */
export function silentWav(ms: number): Buffer {
  return createWav(RATE, (RATE * ms) / 1000).wav;
}
