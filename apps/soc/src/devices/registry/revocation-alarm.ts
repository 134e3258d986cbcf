import type { DeviceRow } from "./device.ts";

/** A broker confirms a revocation within seconds. */
const ALARM_MS = 30_000;

/** Returns why a person must check the broker; null if no revocation waits for it. */
export function findRevocationAlarm(
  oldest: Pick<DeviceRow, "name" | "revoked_at"> | undefined,
  now: Date,
): string | null {
  if (!oldest?.revoked_at || now.getTime() - oldest.revoked_at.getTime() < ALARM_MS) return null;
  const since = oldest.revoked_at.toISOString();
  return `the broker has not confirmed the revocation of the device '${oldest.name}' since ${since}: it may still accept the device`;
}
