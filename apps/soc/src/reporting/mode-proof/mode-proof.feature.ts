import type { Base, Registrations } from "../../foundation/base.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import { outboundRoutes } from "./mode-proof.routes.ts";
import { createProofService, type ProofServiceDeps } from "./mode-proof.service.ts";

export interface ModeProofNeeds {
  stores: ProofServiceDeps["stores"];
  key: LedgerKey;
}

export function createModeProof({ runtime, clock }: Base, { stores, key }: ModeProofNeeds) {
  return {
    services: {},
    registrations: {
      routes: [outboundRoutes(createProofService({ runtime, stores, key, clock }))],
    } satisfies Registrations,
  };
}
