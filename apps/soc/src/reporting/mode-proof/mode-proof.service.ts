import type { Clock } from "@kit/clock";
import type { OutboundStore } from "../../foundation/outbound/outbound.store.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { ModeProofBody, ProofQuery } from "./mode-proof.schema.ts";
import { countTotals, parseRange, signProof } from "./proof.ts";

export interface ProofServiceDeps {
  runtime: Pick<RuntimeService, "truth" | "choose">;
  stores: { database: OutboundStore; showcase: OutboundStore };
  key: LedgerKey;
  clock: Pick<Clock, "now">;
}
export type ProofService = ReturnType<typeof createProofService>;

const MAX_ENTRIES = 10_000;

export function createProofService({ runtime, stores, key, clock }: ProofServiceDeps) {
  return {
    async prove(query: ProofQuery): Promise<ModeProofBody> {
      const range = parseRange(query);
      const { mode } = await runtime.truth();
      const store = await runtime.choose(stores);
      const generated_at = clock.now().toISOString();
      const { entries, starts, isComplete } = await store.list(range, MAX_ENTRIES);
      // Entries kept in memory while the database was unreachable are not in the database.
      const inMemory = store === stores.showcase ? [] : (await stores.showcase.list(range, 1)).entries;
      return signProof(key, {
        from: range.from.toISOString(),
        to: range.to.toISOString(),
        mode,
        generated_at,
        is_complete: isComplete && inMemory.length === 0,
        starts: starts.map(toJsonRow),
        entries: entries.map(toJsonRow),
        totals: countTotals(entries),
      });
    },
  };
}

function toJsonRow<Row extends { at: Date }>(row: Row): Omit<Row, "at"> & { at: string } {
  return { ...row, at: row.at.toISOString() };
}
