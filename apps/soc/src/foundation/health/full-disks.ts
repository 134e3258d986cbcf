import { statfs } from "node:fs/promises";
import type { Database } from "../database/tables.ts";
import type { SystemHealthBody } from "./health.schema.ts";

/** The log engine writes no part below about this much. */
export const MIN_FREE_BYTES = 64 * 1024 ** 2;

/** The disk of the data folder is measured; that of the database says so itself, when it refuses to write. */
export function createFullDisks(dataFolder: string, database: Pick<Database, "isDiskFull">) {
  return async (): Promise<SystemHealthBody["disks"]["full"]> => {
    const disk = await statfs(dataFolder).catch(() => undefined);
    const isFull = disk !== undefined && disk.bavail * disk.bsize < MIN_FREE_BYTES;
    return [...(isFull ? (["data"] as const) : []), ...(database.isDiskFull() ? (["database"] as const) : [])];
  };
}
