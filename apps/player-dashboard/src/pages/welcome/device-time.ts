const NEAR_ENOUGH_S = 60;

/** Whether both clocks show the same, but for a minute. */
export function isSameTime(deviceSeconds: number, browserMs: number): boolean {
  return Math.abs(deviceSeconds - browserMs / 1000) <= NEAR_ENOUGH_S;
}
