import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";

/** The storage used by the player, counted in files of its data folder. */
export interface StorageUse {
  used_entries: number;
  free_entries: number;
  total_entries: number;
  bytes: number;
}

export async function measureStorage(folder: string): Promise<StorageUse> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  const { ffree } = await statfs(folder);
  return {
    used_entries: files.length,
    free_entries: ffree,
    total_entries: files.length + ffree,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}
