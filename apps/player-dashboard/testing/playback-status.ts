import type { PlaybackStatus } from "@player/service/contract/playback";
import { STOPPED } from "@player/service/testing/playback-status";

/** The status of a device that was just switched on, with these changes. */
export function statusWith(change: Partial<PlaybackStatus>): PlaybackStatus {
  return { ...STOPPED, ...change };
}
