import type { FactorsStore } from "./factors.store.ts";

/** The only user of the showcase has just a password. */
export const SHOWCASE_FACTORS: FactorsStore = {
  list: async () => [],
  countRecoveryCodes: async () => 0,
  acceptStep: async () => false,
  acceptRecoveryCode: async () => false,
};
