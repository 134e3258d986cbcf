import type { PlaybackStatus } from "@player/service/contract/playback";

/** The device reports the position every 5 s while it plays; an older report is stale. */
const FRESH_MS = 12_000;

/** The current position, `ageMs` after the device reported it. */
export function positionNow(status: PlaybackStatus, ageMs: number): number {
  const isMoving = status.state === "playing" && !status.hifz?.waiting && ageMs < FRESH_MS;
  const position = status.position + (isMoving ? Math.max(0, ageMs) : 0);
  return status.duration > 0 ? Math.min(position, status.duration) : position;
}
