import type { Base, Registrations } from "../../foundation/base.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import { createChainStore } from "./chain.store.ts";
import { createCheckpointFile } from "./checkpoint-file.store.ts";
import { ledgerRoutes } from "./ledger.routes.ts";
import { createLedgerService } from "./ledger.service.ts";
import { createShowcaseLedgerStore } from "./ledger.showcase.ts";
import { createLedgerStore } from "./ledger.store.ts";
import { createLedgerWorker } from "./ledger.worker.ts";

export interface LedgerNeeds {
  key: LedgerKey;
  /** The path of the checkpoint file outside the database. */
  checkpointFile: string;
  /** The name of this host and its data folder. */
  witness?: string;
}

export function createLedger(base: Base, { key, checkpointFile, witness = checkpointFile }: LedgerNeeds) {
  const { db, runtime, clock, log } = base;
  const ledger = createLedgerService({
    runtime,
    stores: base.sources(createLedgerStore, (showcase) => createShowcaseLedgerStore(showcase.ledger, key)),
    key,
    clock,
  });
  const worker = createLedgerWorker({
    db,
    runtime,
    key,
    witness,
    file: createCheckpointFile(checkpointFile),
    clock,
    log,
  });
  let running: Promise<void> | undefined;
  return {
    services: { ledger },
    registrations: {
      routes: [ledgerRoutes(ledger)],
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        const chain = createChainStore(tx);
        for (const entry of showcase.ledger) await chain.insert(entry);
      },
      /** Signs the first checkpoint, because the demo reports contain bundles. */
      completeDemo: () => worker.sequence(),
      readers: { ledger: ["cases:read"] as const },
      background: [
        {
          start() {
            running ??= worker.run();
          },
          async close() {
            worker.close();
            await running;
          },
        },
      ],
    } satisfies Registrations,
  };
}
