const NEAR_ENOUGH_S = 60;

/** Whether both clocks agree to within a minute. */
export function isSameTime(deviceSeconds: number, browserMs: number): boolean {
  return Math.abs(deviceSeconds - browserMs / 1000) <= NEAR_ENOUGH_S;
}
