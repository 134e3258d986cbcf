/** A boot that answered with the key of a device. */
export interface SeenBoot {
  id: string;
  /** Its uptime and when it was reported. */
  uptime_ms: number;
  at: Date;
}

/** Boots with one key, newest first. */
export type SeenBoots = readonly SeenBoot[];

export const MAX_BOOTS = 16;

/** Device clocks differ in speed, and an answer takes time to arrive. */
const TOLERANCE_MS = 60_000;

/**
 * Returns the evidence that two copies of a device use one key; undefined if there is none. A device has one boot at a
 * time: a boot that returns after another one, or that began before the last answer of another one, belongs to a second
 * device.
 */
export function findClone(boot: SeenBoot, seen: SeenBoots): string | undefined {
  const [latest] = seen;
  if (!latest) return undefined;
  if (latest.id === boot.id) {
    return boot.uptime_ms + TOLERANCE_MS < latest.uptime_ms
      ? `boot ${boot.id} had an uptime of ${latest.uptime_ms} ms before and of ${boot.uptime_ms} ms now`
      : undefined;
  }
  if (seen.some(({ id }) => id === boot.id)) return `boot ${boot.id} answers again after boot ${latest.id}`;
  const begunMs = boot.at.getTime() - boot.uptime_ms;
  return begunMs + TOLERANCE_MS < latest.at.getTime()
    ? `boot ${boot.id} began before the last answer of boot ${latest.id}`
    : undefined;
}

/** Returns the boots with this one first. */
export function addBoot(boot: SeenBoot, seen: SeenBoots): SeenBoots {
  return [boot, ...seen.filter(({ id }) => id !== boot.id)].slice(0, MAX_BOOTS);
}
