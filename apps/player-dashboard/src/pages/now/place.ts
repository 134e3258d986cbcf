import type { PlaybackStatus } from "@player/service/contract/playback";

/** The device says the position every 5 s while it plays; one that is older says nothing about now. */
const FRESH_MS = 12_000;

/** Where the recitation is by now, `ageMs` after the device said where it was. */
export function positionNow(status: PlaybackStatus, ageMs: number): number {
  const isMoving = status.state === "playing" && !status.hifz?.waiting && ageMs < FRESH_MS;
  const position = status.position + (isMoving ? Math.max(0, ageMs) : 0);
  return status.duration > 0 ? Math.min(position, status.duration) : position;
}
