import { open } from "node:fs/promises";

/** Resolves when the names of the files in the folder are on disk: after a power failure a new file still exists. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
