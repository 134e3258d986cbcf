import { open } from "node:fs/promises";

/** Resolves when the names of the files in the folder are on disk: after a power failure a new file still exists. */
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
