import type { PlaybackStatus } from "@player/service/contract/playback";
import { STOPPED } from "@player/service/testing/playback-status";

/** A device that was just switched on, but for this. */
export function statusWith(change: Partial<PlaybackStatus>): PlaybackStatus {
  return { ...STOPPED, ...change };
}
