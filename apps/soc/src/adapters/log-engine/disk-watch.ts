import type { Clock } from "@kit/clock";
import { MIN_FREE_BYTES } from "../../foundation/health/full-disks.ts";

/** Below this, others have used the space that the engine kept free, and a merge in progress may be broken. */
const FULL_BYTES = MIN_FREE_BYTES / 4;
/** The engine deletes merged parts after eight minutes. */
const MAX_WAIT_MS = 4 * 60_000;

export interface DiskWatchDeps {
  /** The free bytes on the disk of the engine's folder; undefined if they cannot be read. */
  readFreeBytes: () => Promise<number | undefined>;
  clock: Pick<Clock, "monotonicMs">;
}

/**
 * Detects that the engine must be replaced because its disk was full: it may have merged parts into empty files without
 * an error, and cannot read them. A starting engine compares the sizes of all files, sets a broken part aside and uses
 * the original parts while they exist.
 */
export function createDiskWatch({ readFreeBytes, clock }: DiskWatchDeps) {
  let fullSinceMs: number | undefined;
  let isReplaced = false;

  return {
    /** Returns true once each time the disk was full: when there is room again, at the latest after four minutes. */
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
