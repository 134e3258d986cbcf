import type { ListState } from "./certificates.store.ts";

const HOUR_MS = 60 * 60_000;
/** The list is signed every hour, so three attempts have failed. */
const ALARM_MS = 3 * HOUR_MS;

/** Returns why a person must check the revocation list; null if it is fresh. */
export function findListAlarm({ signed_at, next_update }: Omit<ListState, "number">, now: Date): string | null {
  if (signed_at === null || next_update === null) return "the revocation list of the devices was never signed";
  const ageMs = now.getTime() - signed_at.getTime();
  if (ageMs < ALARM_MS) return null;
  const isOver = next_update <= now;
  const hours = Math.floor(ageMs / HOUR_MS);
  return isOver
    ? `the revocation list of the devices expired at ${next_update.toISOString()}: the broker refuses every device`
    : `the revocation list of the devices was signed ${hours} hours ago and expires at ${next_update.toISOString()}; then the broker refuses every device`;
}
