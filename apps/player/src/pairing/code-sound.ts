import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWav } from "../playback/wav.ts";

const RATE = 8000;
const HERTZ = 880;
const AMPLITUDE = 0.6 * 32_767;
const TONE_S = 0.16;
/** From the beginning of one tone to that of the next. */
const STEP_S = 0.36;
const PAUSE_S = 1.4;
const LEAD_S = 0.6;
const RAMP_S = 0.01;

/** Where the tones of a code begin: each digit is as many tones, 0 is ten, and a pause follows each digit. */
export function listToneStarts(code: string): number[] {
  const starts: number[] = [];
  let at = LEAD_S;
  for (const digit of code) {
    for (let count = 0; count < (Number(digit) || 10); count += 1) starts.push(at + count * STEP_S);
    at = (starts.at(-1) ?? at) + STEP_S + PAUSE_S;
  }
  return starts;
}

/** Plays a code for a person at a device without a screen, independent of language. */
export function codeWav(code: string): Buffer {
  const starts = listToneStarts(code);
  const { wav, set } = createWav(RATE, Math.ceil(((starts.at(-1) ?? 0) + PAUSE_S) * RATE));
  for (const start of starts) {
    for (let index = 0; index < TONE_S * RATE; index += 1) {
      const seconds = index / RATE;
      const ramp = Math.min(1, seconds / RAMP_S, (TONE_S - seconds) / RAMP_S);
      set(Math.round(start * RATE) + index, Math.round(AMPLITUDE * ramp * Math.sin(2 * Math.PI * HERTZ * seconds)));
    }
  }
  return wav;
}

/** Plays a code. Its file exists only as long as it sounds. */
export async function playCode(
  code: string,
  dataFolder: string,
  play: (path: string) => Promise<unknown>,
): Promise<void> {
  const path = join(dataFolder, "pairing-code.wav");
  try {
    await writeFile(path, codeWav(code));
    // The engine may run as another user, and a file mask must not keep it from reading.
    await chmod(path, 0o644);
    await play(path);
  } finally {
    await rm(path, { force: true });
  }
}
