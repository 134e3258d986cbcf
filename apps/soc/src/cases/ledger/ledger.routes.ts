import { PageOf, PageQuery } from "../../foundation/lists/lists.schema.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import {
  BundleBody,
  BundleQuery,
  CheckpointBody,
  ConsistencyBody,
  ConsistencyQuery,
  LedgerStatusBody,
  ProofBody,
  ProofQuery,
} from "./ledger.schema.ts";
import type { LedgerService } from "./ledger.service.ts";

type LedgerReader = Pick<LedgerService, "status" | "listCheckpoints" | "prove" | "bundle" | "proveConsistency">;

export function ledgerRoutes(ledger: LedgerReader): Routes {
  const config = { needs: ["cases:read"] } as const;
  const exporting = { ...config, exports: "ledger.exported", stepUp: true } as const;
  return async (app) => {
    app.get(
      "/ledger/status",
      operation("getLedgerStatus", "Get the status of the ledger", config, {
        description:
          "`alarm` is null, or why nothing is signed. `faults` are those of the last full check, at most 100.",
        response: { 200: LedgerStatusBody },
      }),
      async () => ledger.status(),
    );

    app.get(
      "/ledger/checkpoints",
      operation("listLedgerCheckpoints", "List signed checkpoints of the ledger", config, {
        querystring: PageQuery,
        response: { 200: PageOf(CheckpointBody) },
      }),
      async ({ query }) => ledger.listCheckpoints(query),
    );

    app.get(
      "/ledger/proof",
      operation("getLedgerProof", "Get an inclusion proof of a ledger entry", config, {
        description: "409 while the entry waits for a checkpoint.",
        querystring: ProofQuery,
        response: { 200: ProofBody },
      }),
      async ({ query }) => ledger.prove(query.case_id, query.sequence),
    );

    app.get(
      "/ledger/bundle",
      operation("getLedgerBundle", "Get the bundle for the offline verifier", exporting, {
        querystring: BundleQuery,
        response: { 200: BundleBody },
      }),
      async ({ query }) => ledger.bundle(query.case_id),
    );

    app.get(
      "/ledger/consistency",
      operation("getLedgerConsistency", "Get a consistency proof between two checkpoints", config, {
        querystring: ConsistencyQuery,
        response: { 200: ConsistencyBody },
      }),
      async ({ query }) => ledger.proveConsistency(query.from, query.to),
    );
  };
}
