import { invalidField } from "@kit/problem";
import type { Kysely } from "kysely";
import type { AuditEntryBody } from "../../foundation/audit/audit.schema.ts";
import type { AuditService } from "../../foundation/audit/audit.service.ts";
import type { Tables } from "../../foundation/database/tables.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LedgerService } from "../ledger/ledger.service.ts";
import { CHAIN_OF_AUDIT } from "../ledger/ledger.ts";
import type { FoundEntry } from "./audit-batch.ts";
import type { AuditBundleBody, AuditBundleQuery } from "./audit-chain.schema.ts";
import { createAuditChainStore } from "./audit-chain.store.ts";

export interface AuditBundleDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
  auditLog: Pick<AuditService, "select">;
  ledger: Pick<LedgerService, "proveAll">;
}

const MAX_ENTRIES = 1000;

export function createAuditBundleService({ db, runtime, auditLog, ledger }: AuditBundleDeps) {
  async function select({ ids, ...filter }: AuditBundleQuery): Promise<AuditEntryBody[]> {
    if (ids === undefined) {
      const entries = await auditLog.select(filter, MAX_ENTRIES + 1);
      if (entries.length > MAX_ENTRIES) throw invalidField("to", `must select at most ${MAX_ENTRIES} entries`);
      return entries;
    }
    if (Object.values(filter).some((value) => value !== undefined)) {
      throw invalidField("ids", "must be the only parameter");
    }
    const found = await createAuditChainStore(db).findEntries(ids.split(","));
    return [...found.values()].flatMap(({ entry }) => entry ?? []);
  }

  return {
    /** Proves entries with one checkpoint. Nothing is signed for it. */
    async bundle(query: AuditBundleQuery): Promise<AuditBundleBody> {
      const entries = await select(query);
      const { uses_showcase_data } = await runtime.truth();
      // The entries of the showcase are examples: no chain has them.
      const found = uses_showcase_data
        ? new Map<string, FoundEntry>()
        : await createAuditChainStore(db).findEntries(entries.map(({ id }) => id));
      const sequences = new Set([...found.values()].flatMap(({ batch }) => batch ?? []));
      const { entries: batches, ...proof } = await ledger.proveAll(CHAIN_OF_AUDIT, [...sequences]);
      return { format: "manara-soc-audit-1", ...proof, batches, entries };
    },
  };
}

export type AuditBundleService = ReturnType<typeof createAuditBundleService>;
