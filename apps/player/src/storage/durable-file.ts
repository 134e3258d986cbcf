import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { asStorageProblem } from "./sqlite-errors.ts";

/**
 * Writes everything or nothing: after a power cut or on a full disk the former content stays. Rejects with a Problem
 * when the storage refuses it.
 */
export async function writeDurably(path: string, content: string, mode = 0o600): Promise<void> {
  try {
    await write(path, content, mode);
  } catch (cause) {
    throw asStorageProblem(cause);
  }
}

async function write(path: string, content: string, mode: number): Promise<void> {
  makeFolderDurably(dirname(path));
  const temporary = `${path}.new`;
  const file = await open(temporary, "w", mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** A new, renamed or removed name survives a power cut only after its folder was synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Creates the folder, readable only by the owner, if it is missing. It survives a power cut, as do its parents. */
export function makeFolderDurably(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let each = folder; each.length >= first.length; each = dirname(each)) syncPath(dirname(each));
}

/** What was written to the file, or renamed in the folder, survives a power cut only after this. */
export function syncPath(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
