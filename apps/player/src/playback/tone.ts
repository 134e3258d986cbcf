import { chmod, rename, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "@kit/problem";
import { createWav, wavBytes } from "./wav.ts";

const RATE = 22_050;
const SECONDS = 3;
const FILE_BYTES = wavBytes(RATE * SECONDS);
/** mpv may run as another user, and the umask of a service usually forbids others to read. */
const MODE = 0o644;
const MAX_AMPLITUDE = 0.8 * 32_767;
/** C, E and G of a major chord, one after the other, each still sounding under the next. */
const NOTES = [
  { hertz: 523.25, atS: 0 },
  { hertz: 659.26, atS: 0.45 },
  { hertz: 783.99, atS: 0.9 },
] as const;
const ATTACK_S = 0.02;
const DECAY_S = 0.6;
const RELEASE_S = 0.3;

/** The built-in tone: three notes as a WAV file. */
export function toneWav(): Buffer {
  const samples = new Float64Array(RATE * SECONDS).map((_, index) => soundAt(index / RATE));
  const peak = samples.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0);
  const { wav, set } = createWav(RATE, samples.length);
  for (const [index, sample] of samples.entries()) set(index, Math.round((sample / peak) * MAX_AMPLITUDE));
  return wav;
}

/**
 * The path of the tone file; it is written when it is missing, incomplete or not readable for
 * every user. On a storage that cannot be written it is
 * a temporary file: a call to prayer must not depend on it.
 */
export async function openTone(dataFolder: string): Promise<string> {
  let cause: unknown;
  for (const path of [join(dataFolder, "tone.wav"), join(tmpdir(), "manara-tone.wav")]) {
    if (await isUsable(path)) return path;
    try {
      await writeFile(`${path}.new`, toneWav());
      await chmod(`${path}.new`, MODE);
      await rename(`${path}.new`, path);
      return path;
    } catch (error) {
      cause = error;
    }
  }
  throw new Problem("failed", "tone: it cannot be written to the device's storage", { cause });
}

async function isUsable(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size, mode }) => size === FILE_BYTES && (mode & 0o777) === MODE,
    () => false,
  );
}

function soundAt(seconds: number): number {
  const ending = Math.min(1, (SECONDS - seconds) / RELEASE_S);
  return NOTES.reduce((sum, note) => sum + ringAt(note.hertz, seconds - note.atS), 0) * ending;
}

/** A bell sound: fast attack, slow decay, and an octave overtone that decays sooner. */
function ringAt(hertz: number, seconds: number): number {
  if (seconds < 0) return 0;
  const attack = Math.min(1, seconds / ATTACK_S);
  const turn = 2 * Math.PI * hertz * seconds;
  const octave = 0.3 * Math.sin(2 * turn) * Math.exp(-seconds / (DECAY_S / 3));
  return attack * (Math.sin(turn) * Math.exp(-seconds / DECAY_S) + octave);
}
