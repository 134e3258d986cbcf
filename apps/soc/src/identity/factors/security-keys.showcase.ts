import type { SecurityKeysStore } from "./security-keys.store.ts";

/** The only user of the showcase has just a password. */
export const SHOWCASE_SECURITY_KEYS: SecurityKeysStore = {
  list: async () => [],
  find: async () => undefined,
  acceptCount: async () => false,
  markCloned: async () => undefined,
};
