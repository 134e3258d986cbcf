import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";

/** The storage used by the player, counted in files of its data folder. */
export interface StorageUse {
  used_entries: number;
  free_entries: number;
  total_entries: number;
  bytes: number;
}

/** A storage that cannot be read has no entries: the rest of the answer is worth more. */
export async function measureStorage(folder: string): Promise<StorageUse> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((file) => readSize(join(file.parentPath, file.name))));
  const ffree = await statfs(folder).then(
    (disk) => disk.ffree,
    () => 0,
  );
  return {
    used_entries: files.length,
    free_entries: ffree,
    total_entries: files.length + ffree,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}

/** 0 for a file that was deleted since it was listed, such as a log of the database. */
async function readSize(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** How many bytes this service may still write on the disk of the folder. */
export async function measureFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
