import type { AlertsService } from "../../alerts/module.ts";
import type { AuditService } from "../../foundation/audit/audit.service.ts";
import type { Base, Registrations } from "../../foundation/base.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { LedgerService } from "../ledger/ledger.service.ts";
import { createAuditBundleService } from "./audit-bundle.service.ts";
import { auditChainRoutes } from "./audit-chain.routes.ts";
import type { AuditChainStatusBody, ReceiverBody } from "./audit-chain.schema.ts";
import { createAuditChainStore } from "./audit-chain.store.ts";
import { createAuditChain } from "./audit-chain.ts";
import { createAuditChainWorker } from "./audit-chain.worker.ts";
import { createAuditCheck } from "./audit-check.ts";
import { listMeasures } from "./audit-measures.ts";

export interface AuditChainNeeds {
  ledger: Pick<LedgerService, "append" | "proveAll">;
  auditLog: Pick<AuditService, "select">;
  alerts: Pick<AlertsService, "create">;
  listReceivers: () => Promise<ReceiverBody[]>;
  key: LedgerKey;
}

const MAX_FAULTS = 100;
const NO_CHAIN = { waiting: 0, lag_s: 0, is_backfilled: true, fully_checked_at: null, faults: [], receivers: [] };

/** The audit log in the ledger: its chain, its check and its proofs. */
export function createAuditRecords(base: Base, { ledger, auditLog, alerts, listReceivers, key }: AuditChainNeeds) {
  const { db, runtime, clock, log } = base;
  const chain = createAuditChain({ ledger, key, clock });
  const check = createAuditCheck({ chain, alerts, key, clock, log });
  const worker = createAuditChainWorker({ db, runtime, chain, check, key, clock, log });
  const bundles = createAuditBundleService({ db, runtime, auditLog, ledger });

  async function status(): Promise<AuditChainStatusBody> {
    if ((await runtime.truth()).uses_showcase_data) return NO_CHAIN;
    const store = createAuditChainStore(db);
    const [{ entries, since }, { backfilledAt, fullyCheckedAt }, faults, receivers] = await Promise.all([
      store.readWaiting(),
      store.readProgress(),
      store.listFaults(MAX_FAULTS),
      listReceivers(),
    ]);
    return {
      waiting: entries,
      lag_s: since ? Math.max(0, Math.round((clock.now().getTime() - since.getTime()) / 1000)) : 0,
      is_backfilled: backfilledAt !== undefined,
      fully_checked_at: fullyCheckedAt?.toISOString() ?? null,
      faults,
      receivers,
    };
  }

  return {
    services: { auditStatus: status },
    registrations: {
      routes: [auditChainRoutes({ ...bundles, status })],
      measures: listMeasures(async () => ((await runtime.truth()).is_database_available ? status() : undefined)),
      createWork: () => ({ background: () => [worker.loop] }),
    } satisfies Registrations,
  };
}
