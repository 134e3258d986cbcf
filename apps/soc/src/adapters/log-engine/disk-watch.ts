import type { Clock } from "@kit/clock";
import { MIN_FREE_BYTES } from "../../foundation/health/full-disks.ts";

/** Below it, others have taken what the engine kept free, and a merge that was under way may be broken. */
const FULL_BYTES = MIN_FREE_BYTES / 4;
/** The engine deletes the parts that it has merged after eight minutes. */
const MAX_WAIT_MS = 4 * 60_000;

export interface DiskWatchDeps {
  /** What is free on the disk of the engine's folder; undefined when it cannot be read. */
  readFreeBytes: () => Promise<number | undefined>;
  clock: Pick<Clock, "monotonicMs">;
}

/**
 * Notices when the engine must be replaced because its disk was full: it may have merged parts into files that are
 * empty, without an error, and cannot read them. An engine that starts compares the sizes of all files, sets a broken
 * part aside and takes the parts that it was merged from, while they exist.
 */
export function createDiskWatch({ readFreeBytes, clock }: DiskWatchDeps) {
  let fullSinceMs: number | undefined;
  let isReplaced = false;

  return {
    /** True once each time the disk was full: when there is room again, at the latest after four minutes. */
    async mustReplace(): Promise<boolean> {
      const freeBytes = await readFreeBytes();
      if (freeBytes === undefined) return false;
      if (freeBytes < FULL_BYTES) fullSinceMs ??= clock.monotonicMs();
      if (fullSinceMs === undefined) return false;
      const hasRoom = freeBytes >= MIN_FREE_BYTES;
      const isDue = !isReplaced && (hasRoom || clock.monotonicMs() - fullSinceMs >= MAX_WAIT_MS);
      isReplaced = !hasRoom && (isReplaced || isDue);
      if (hasRoom) fullSinceMs = undefined;
      return isDue;
    },
  };
}
