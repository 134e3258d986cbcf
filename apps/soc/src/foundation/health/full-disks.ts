import { statfs } from "node:fs/promises";
import type { Database } from "../database/tables.ts";
import type { SystemHealthBody } from "./health.schema.ts";

/** The log engine keeps this much free: below it, the engine refuses logs and starts no merge. */
export const MIN_FREE_BYTES = 64 * 1024 ** 2;

/** Returns the free bytes on the disk of a folder; undefined if they cannot be read. */
export async function readFreeBytes(folder: string): Promise<number | undefined> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk && disk.bavail * disk.bsize;
}

/** The disk of the data folder is measured. The database reports a full disk itself when it refuses to write. */
export function createFullDisks(dataFolder: string, database: Pick<Database, "isDiskFull">) {
  return async (): Promise<SystemHealthBody["disks"]["full"]> => {
    const freeBytes = await readFreeBytes(dataFolder);
    const isFull = freeBytes !== undefined && freeBytes < MIN_FREE_BYTES;
    return [...(isFull ? (["data"] as const) : []), ...(database.isDiskFull() ? (["database"] as const) : [])];
  };
}
