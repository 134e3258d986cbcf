import type { Clock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { MAX_PREFERENCES_BYTES, type Preferences } from "./me.schema.ts";
import { createPreferencesWriter, type PreferencesStore } from "./preferences.store.ts";

export interface PreferencesServiceDeps {
  runtime: Pick<RuntimeService, "choose" | "truth">;
  stores: { database: PreferencesStore; showcase: PreferencesStore };
  clock: Pick<Clock, "now">;
}
export type PreferencesService = ReturnType<typeof createPreferencesService>;

const MAX_DEPTH = 8;

/**
 * Settings that a page stores for its user. They write no audit entry, because they concern one person only and change
 * with every click.
 */
export function createPreferencesService({ runtime, stores, clock }: PreferencesServiceDeps) {
  async function get({ username }: Caller): Promise<Preferences> {
    return (await (await runtime.choose(stores)).find(username)) ?? {};
  }

  return {
    get,

    /** Null if they cannot be read. */
    async getOrNull(caller: Caller): Promise<Preferences | null> {
      try {
        return await get(caller);
      } catch (error) {
        if ((await runtime.truth()).read_data_source === "unavailable") return null;
        throw error;
      }
    },

    async replace(tx: Tx, { username }: Caller, preferences: Preferences): Promise<Preferences> {
      requireStorable({ body: preferences });
      if (!isWithinDepth(preferences, MAX_DEPTH))
        throw invalidField("body", `must be at most ${MAX_DEPTH} levels deep`);
      // A number such as 1e20 is longer once it was parsed.
      const text = JSON.stringify(preferences);
      if (Buffer.byteLength(text) > MAX_PREFERENCES_BYTES)
        throw invalidField("body", `must be at most ${MAX_PREFERENCES_BYTES} bytes`);
      await createPreferencesWriter(tx).replace(username, text, clock.now());
      return preferences;
    },
  };
}

function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isWithinDepth(part, depth - 1));
}
