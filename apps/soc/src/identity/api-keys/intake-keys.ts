import type { Clock } from "@kit/clock";
import type { Budget, FixedWindows } from "@kit/http/limits";
import { rateLimited } from "@kit/problem";
import type { User } from "../users/user.ts";
import type { ApiKey } from "./api-key.ts";

/** A key as read from the database, with its owner. */
export interface HeldKey {
  key: ApiKey;
  owner: User;
}

export interface IntakeKeysDeps {
  windows: FixedWindows;
  clock: Pick<Clock, "monotonicMs">;
  maxKeys?: number;
}
export type IntakeKeys = ReturnType<typeof createIntakeKeys>;

interface CachedKey {
  held: Promise<HeldKey | undefined>;
  untilMs: number;
  /** Whether the hash belongs to a key, as far as this process knows. */
  isKnown: boolean;
}

/** Every process refuses a revoked key after this time at the latest. */
const REMEMBERED_MS = 5000;
/** Beyond this many hashes, known or unknown, the least recently used one is evicted. */
const MAX_KEYS = 10_000;
/** How many unknown keys one address may try per minute. */
const UNKNOWN_KEYS: Budget = { name: "unknown keys", limit: 300, windowMs: 60_000 };

/**
 * A cache of the keys of log intake requests, by hash, so that each key is read once in five seconds instead of once
 * per request. Hashes without a key are cached as well, and one address may try only a limited number of them.
 */
export function createIntakeKeys({ windows, clock, maxKeys = MAX_KEYS }: IntakeKeysDeps) {
  const remembered = new Map<string, CachedKey>();

  function keep(hash: string, entry: CachedKey): void {
    // A Map keeps the order of insertion, so the first hash is the least recently used one.
    remembered.delete(hash);
    remembered.set(hash, entry);
    if (remembered.size <= maxKeys) return;
    for (const oldest of remembered.keys()) {
      remembered.delete(oldest);
      return;
    }
  }

  async function readNow(hash: string, isKnown: boolean, read: () => Promise<HeldKey | undefined>) {
    const held = read();
    const entry: CachedKey = { held, untilMs: clock.monotonicMs() + REMEMBERED_MS, isKnown };
    keep(hash, entry);
    try {
      const found = await held;
      entry.isKnown = found !== undefined;
      return found;
    } catch (error) {
      // A failed read says nothing about the key.
      if (remembered.get(hash) === entry) remembered.delete(hash);
      throw error;
    }
  }

  /** Counted before the read, so that many concurrent unknown keys are not read either. */
  async function readUnknown(hash: string, address: string, read: () => Promise<HeldKey | undefined>) {
    const waitMs = windows.take(UNKNOWN_KEYS, address);
    if (waitMs > 0) {
      throw rateLimited(`more than ${UNKNOWN_KEYS.limit} unknown API keys per minute from this address`, waitMs);
    }
    const found = await readNow(hash, false, read);
    if (found) windows.giveBack(UNKNOWN_KEYS, address);
    return found;
  }

  return {
    /**
     * Returns the key with the hash, at most five seconds old. Throws if the address has tried too many unknown keys.
     */
    async find(hash: string, address: string, read: () => Promise<HeldKey | undefined>): Promise<HeldKey | undefined> {
      const entry = remembered.get(hash);
      if (entry && clock.monotonicMs() < entry.untilMs) {
        keep(hash, entry);
        return entry.held;
      }
      return entry?.isKnown ? readNow(hash, true, read) : readUnknown(hash, address, read);
    },

    /** Forgets all keys, after one was revoked. Reads in progress are not remembered either. */
    forget(): void {
      remembered.clear();
    },
  };
}
