import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Every kind of file that the library and internet radio use. */
export const SHORT_FILES = ["mp3", "m4a", "opus", "ogg", "flac", "wav", "aac"].map((format) => `short.${format}`);
export const SHORT_MS = 300;
export const LONG_FILE = "long.mp3";
export const LONG_MS = 20_000;
/** Of the long file: it has a constant bit rate of 64 kbit/s. */
export const BYTES_PER_SECOND = 8000;

export interface Sounds {
  folder: string;
  path(name: string): string;
  /** Writes a text or other bytes beside the sounds; returns its path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  remove(): Promise<void>;
}

/** Creates real audio files in a separate folder. */
export async function makeSounds(): Promise<Sounds> {
  const folder = await mkdtemp(join(tmpdir(), "player-sounds-"));
  const path = (name: string) => join(folder, name);
  const tone = (ms: number) => ["-f", "lavfi", "-i", `sine=frequency=440:duration=${ms / 1000}`];
  const short = SHORT_FILES.flatMap((name) => ["-map", "0", path(name)]);
  const long = ["-map", "1", "-b:a", "64k", path(LONG_FILE)];
  await promisify(execFile)("ffmpeg", ["-v", "error", ...tone(SHORT_MS), ...tone(LONG_MS), ...short, ...long]);
  return {
    folder,
    path,
    async write(name, content) {
      await writeFile(path(name), content);
      return path(name);
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
