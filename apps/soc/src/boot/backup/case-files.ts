import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { copyDurably } from "./platform-key-files.ts";

/** The path of a content below the folder of all contents. */
function toPath(folder: string, sha256: string): string {
  return join(folder, sha256.slice(0, 2), sha256.slice(2));
}

/**
 * Copies file contents from the first folder that has them. Returns the ones found: a content is known to the database
 * before it is written, and unused ones are removed.
 */
export async function copyContents(
  contents: readonly string[],
  from: readonly string[],
  to: string,
): Promise<string[]> {
  const found: string[] = [];
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const sha256 of contents) {
    const source = from.map((folder) => toPath(folder, sha256)).find((path) => existsSync(path));
    if (source === undefined) continue;
    await copyDurably(source, toPath(to, sha256));
    found.push(sha256);
  }
  return found;
}
