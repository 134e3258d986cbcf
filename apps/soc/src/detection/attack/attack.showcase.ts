import type { AttackStore } from "./attack.store.ts";

/** The showcase has no imported ATT&CK data. */
export function createShowcaseAttackStore(): AttackStore {
  return { find: async () => undefined };
}
