import type { SigningKey } from "./signing-key.ts";
import type { SigningKeysStore } from "./signing-keys.store.ts";

/** The signing keys of the showcase: in memory, lost when the process ends. */
export function createShowcaseSigningKeysStore(): SigningKeysStore {
  let keys: SigningKey[] = [];
  return {
    list: async () => keys,
    async rotate(key) {
      if (keys.some(({ period }) => period === key.period)) return;
      keys = [...keys.filter(({ period }) => period >= key.period - 1), key];
    },
  };
}
