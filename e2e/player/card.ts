import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

export interface CardContent {
  /** The surahs of each reciter. */
  reciters: Readonly<Record<string, readonly number[]>>;
  /** The duration of each file; 3 by default. */
  seconds?: number;
}

const run = promisify(execFile);

/**
 * A folder like the root of a memory card: `Husary/001.mp3` … One file is created and copied, so all files are equal.
 */
export async function makeCard({ reciters, seconds = 3 }: CardContent): Promise<string> {
  const card = await mkdtemp(join(tmpdir(), "card-"));
  const sample = join(await mkdtemp(join(tmpdir(), "sample-")), "sample.mp3");
  await makeFile(sample, { seconds });
  for (const [reciter, surahs] of Object.entries(reciters)) {
    await mkdir(join(card, reciter));
    for (const surah of surahs) await copyFile(sample, join(card, reciter, formatFileName(surah)));
  }
  return card;
}

export function formatFileName(surah: number): string {
  return `${String(surah).padStart(3, "0")}.mp3`;
}

/** A tone of the given length. The extension of the path determines the format, unless one is given. */
export async function makeFile(path: string, { seconds, format }: { seconds: number; format?: string }): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const tone = ["-f", "lavfi", "-i", `sine=frequency=440:sample_rate=16000:duration=${seconds}`, "-b:a", "32k"];
  await run("ffmpeg", ["-y", "-loglevel", "error", ...tone, ...(format ? ["-f", format] : []), path]);
}
