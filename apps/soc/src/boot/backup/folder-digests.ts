import { createHash } from "node:crypto";
import { open, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { invalidField } from "@kit/problem";
import { syncFile, syncFolder } from "../../foundation/records/sync-folder.ts";
import { MANIFEST_FILE } from "./manifest.ts";

const READ_BYTES = 1024 * 1024;

/**
 * Computes the SHA-256 of every file in the folder except the manifest, by path. Resolves when all of them are on disk.
 */
export async function computeDigests(folder: string): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  // One buffer for all files, most of which are much smaller.
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  for (const path of await syncFolders(folder)) {
    const name = relative(folder, path);
    if (name !== MANIFEST_FILE) digests[name] = await computeDigest(path, buffer);
  }
  return digests;
}

/** Refuses a folder whose files are not exactly those of its manifest. */
export async function requireDigests(
  option: string,
  folder: string,
  expected: Readonly<Record<string, string>>,
): Promise<void> {
  const found = await computeDigests(folder);
  for (const [name, digest] of Object.entries(expected)) {
    if (found[name] === undefined) throw invalidField(option, `${name} is missing in ${folder}`);
    if (found[name] !== digest) throw invalidField(option, `${name} in ${folder} is not the original file`);
  }
  const added = Object.keys(found).find((name) => expected[name] === undefined);
  if (added !== undefined) throw invalidField(option, `${added} in ${folder} is not in the manifest`);
}

/** Resolves when everything below the folder is on disk. */
export async function syncTree(folder: string): Promise<void> {
  for (const path of await syncFolders(folder)) await syncFile(path);
}

/** Synchronises every folder and lists every file below it. */
async function syncFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  for (const each of [folder, ...folders]) await syncFolder(each);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function computeDigest(path: string, buffer: Buffer): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(path, "r");
  try {
    await file.sync();
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
