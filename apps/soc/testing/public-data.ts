import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const FOLDER = join(import.meta.dirname, "../../../../shared/data");
const BLOCK = 512;
const PLAIN_FILE = "0";
/** GNU tar: the name of the next file, which does not fit into its block. */
const LONG_NAME = "L";

/** Public rules and events are kept beside the repository, never in it. Tests that need them are skipped without. */
export const hasPublicData = existsSync(join(FOLDER, "sigma-rules.tar.gz"));

export function publicPath(name: string): string {
  return join(FOLDER, name);
}

export function readPublic(name: string): Buffer {
  const content = readFileSync(publicPath(name));
  return name.endsWith(".gz") ? gunzipSync(content) : content;
}

/** The files of a tar archive: a block that describes each, and its content filled up to whole blocks. */
export function filesOf(archive: Buffer): { path: string; text: string }[] {
  const files: { path: string; text: string }[] = [];
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const size = Number.parseInt(textAt(archive, at + 124, 12), 8);
    const content = archive.toString("utf8", at + BLOCK, at + BLOCK + size);
    const kind = textAt(archive, at + 156, 1);
    if (kind === PLAIN_FILE) files.push({ path: longName ?? textAt(archive, at, 100), text: content });
    longName = kind === LONG_NAME ? content.replace(/\0$/, "") : undefined;
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

function textAt(archive: Buffer, at: number, length: number): string {
  return archive.toString("latin1", at, at + length).replace(/\0.*$/s, "");
}
