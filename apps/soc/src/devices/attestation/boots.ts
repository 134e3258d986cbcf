/** A boot that answered with the key of a device. */
export interface SeenBoot {
  id: string;
  /** How long it had run, and when that was. */
  uptime_ms: number;
  at: Date;
}

/** Boots of one key, the latest first. */
export type SeenBoots = readonly SeenBoot[];

export const MAX_BOOTS = 16;

/** Clocks of devices run differently fast, and an answer takes its time. */
const TOLERANCE_MS = 60_000;

/**
 * Why the boot shows that two copies of a device use one key; undefined if it does not. A device has one boot at a time: one
 * that returns after another one, or that had begun before the last answer of another one, belongs to a second device.
 */
export function findClone(boot: SeenBoot, seen: SeenBoots): string | undefined {
  const [latest] = seen;
  if (!latest) return undefined;
  if (latest.id === boot.id) {
    return boot.uptime_ms + TOLERANCE_MS < latest.uptime_ms
      ? `boot ${boot.id} had run for ${latest.uptime_ms} ms before and now for ${boot.uptime_ms} ms`
      : undefined;
  }
  if (seen.some(({ id }) => id === boot.id)) return `boot ${boot.id} answers again after boot ${latest.id}`;
  const begunMs = boot.at.getTime() - boot.uptime_ms;
  return begunMs + TOLERANCE_MS < latest.at.getTime()
    ? `boot ${boot.id} had begun before the last answer of boot ${latest.id}`
    : undefined;
}

/** The boots with this one as the latest. */
export function addBoot(boot: SeenBoot, seen: SeenBoots): SeenBoots {
  return [boot, ...seen.filter(({ id }) => id !== boot.id)].slice(0, MAX_BOOTS);
}
