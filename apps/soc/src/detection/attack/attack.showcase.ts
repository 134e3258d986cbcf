import type { AttackStore } from "./attack.store.ts";

/** The showcase shows the ATT&CK data that the product brings. */
export function createShowcaseAttackStore(): AttackStore {
  return { find: async () => undefined };
}
