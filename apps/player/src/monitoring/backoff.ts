import type { Ids } from "@kit/clock/ids";

export interface BackoffOptions {
  firstMs: number;
  maxMs: number;
  ids: Pick<Ids, "secret">;
}

export interface Backoff {
  /** The delay before the next attempt: twice the previous one, up to the limit, minus a random share of up to half. */
  next(): number;
  /** After a success. */
  reset(): void;
}

const CHANCE_RANGE = 0x1_0000;

/** Jitter: many devices that lost the same platform do not return in step. */
export function createBackoff({ firstMs, maxMs, ids }: BackoffOptions): Backoff {
  let waitMs = firstMs;
  return {
    next() {
      const chance = ids.secret(4).readUInt16BE(2) / CHANCE_RANGE;
      const chosenMs = Math.round(waitMs * (1 - chance / 2));
      waitMs = Math.min(waitMs * 2, maxMs);
      return chosenMs;
    },
    reset() {
      waitMs = firstMs;
    },
  };
}
