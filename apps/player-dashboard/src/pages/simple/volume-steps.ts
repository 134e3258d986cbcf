const STEP = 10;

/** One big step up, on round figures, never above the limit. */
export function louder(volume: number, limit: number): number {
  return Math.min(limit, (Math.floor(volume / STEP) + 1) * STEP);
}

/** One big step down. From above the limit, at most to the limit. */
export function quieter(volume: number, limit: number): number {
  return Math.min(limit, Math.max(0, (Math.ceil(volume / STEP) - 1) * STEP));
}

/** How many of `count` lamps are lit: at least one for any sound at all. */
export function countLitLamps(volume: number, limit: number, count: number): number {
  if (volume <= 0 || limit <= 0) return 0;
  return Math.min(count, Math.max(1, Math.round((count * volume) / limit)));
}
