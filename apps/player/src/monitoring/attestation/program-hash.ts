import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/**
 * The digest of the installed program, as an operator computes it in the folder:
 * `find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum`.
 */
export async function hashProgram(folder: string): Promise<string> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => `.${join(parentPath, name).slice(folder.replace(/\/$/, "").length)}`);
  const total = createHash("sha256");
  for (const path of paths.toSorted(compareBytes)) total.update(`${await hashFile(join(folder, path))}  ${path}\n`);
  return total.digest("hex");
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
