import { open } from "node:fs/promises";

/** Resolves when the file names in the folder are on disk, so that a new file survives a power failure. */
export async function syncFolder(path: string): Promise<void> {
  await syncFile(path);
}

/** Resolves when the content of the file is on disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
