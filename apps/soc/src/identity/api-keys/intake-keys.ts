import type { Clock } from "@kit/clock";
import type { Budget, FixedWindows } from "@kit/http/limits";
import { rateLimited } from "@kit/problem";
import type { User } from "../users/user.ts";
import type { ApiKey } from "./api-key.ts";

/** A key as the database had it, with its owner. */
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

interface Remembered {
  held: Promise<HeldKey | undefined>;
  untilMs: number;
  /** Whether the hash is that of a key, as far as this process knows. */
  isKnown: boolean;
}

/** A key that was revoked is refused after this time at the latest, in every process. */
const REMEMBERED_MS = 5000;
/** Beyond this many hashes, known or unknown, the one that was not used for the longest time is forgotten. */
const MAX_KEYS = 10_000;
/** How many unknown keys one address may try in a minute. */
const UNKNOWN_KEYS: Budget = { name: "unknown keys", limit: 300, windowMs: 60_000 };

/**
 * The keys of requests that bring logs, by their hash: the database is read once in five seconds for each, and not for
 * each request. Hashes that belong to no key are remembered as well, and one address may try a bounded number of them.
 */
export function createIntakeKeys({ windows, clock, maxKeys = MAX_KEYS }: IntakeKeysDeps) {
  const remembered = new Map<string, Remembered>();

  function keep(hash: string, entry: Remembered): void {
    // A Map keeps the order of insertion: the first hash is the one that was not used for the longest time.
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
    const entry: Remembered = { held, untilMs: clock.monotonicMs() + REMEMBERED_MS, isKnown };
    keep(hash, entry);
    try {
      const found = await held;
      entry.isKnown = found !== undefined;
      return found;
    } catch (error) {
      // A database that did not answer says nothing about the key.
      if (remembered.get(hash) === entry) remembered.delete(hash);
      throw error;
    }
  }

  /** Counted before it is read, so that many at once are not read either. */
  async function readUnknown(hash: string, address: string, read: () => Promise<HeldKey | undefined>) {
    const waitMs = windows.take(UNKNOWN_KEYS, address);
    if (waitMs > 0) {
      throw rateLimited(`more than ${UNKNOWN_KEYS.limit} unknown API keys a minute from this address`, waitMs);
    }
    const found = await readNow(hash, false, read);
    if (found) windows.giveBack(UNKNOWN_KEYS, address);
    return found;
  }

  return {
    /** The key with that hash, at most five seconds old. Throws when the address has tried too many unknown ones. */
    async find(hash: string, address: string, read: () => Promise<HeldKey | undefined>): Promise<HeldKey | undefined> {
      const entry = remembered.get(hash);
      if (entry && clock.monotonicMs() < entry.untilMs) {
        keep(hash, entry);
        return entry.held;
      }
      return entry?.isKnown ? readNow(hash, true, read) : readUnknown(hash, address, read);
    },

    /** Forgets all keys, after one was revoked. A read that is under way is not remembered either. */
    forget(): void {
      remembered.clear();
    },
  };
}
