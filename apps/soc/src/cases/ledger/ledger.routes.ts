import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { PageOf, PageQuery } from "../../foundation/lists/lists.schema.ts";
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

type Reads = Pick<LedgerService, "status" | "listCheckpoints" | "prove" | "bundle" | "proveConsistency">;

export function ledgerRoutes(ledger: Reads): FastifyPluginAsyncTypebox {
  const config = { needs: ["cases:read"] } as const;
  return async (app) => {
    app.get(
      "/ledger/status",
      {
        config,
        schema: {
          operationId: "getLedgerStatus",
          summary: "Get the status of the ledger",
          response: { 200: LedgerStatusBody },
        },
      },
      async () => ledger.status(),
    );

    app.get(
      "/ledger/checkpoints",
      {
        config,
        schema: {
          operationId: "listLedgerCheckpoints",
          summary: "List signed checkpoints of the ledger",
          querystring: PageQuery,
          response: { 200: PageOf(CheckpointBody) },
        },
      },
      async ({ query }) => ledger.listCheckpoints(query),
    );

    app.get(
      "/ledger/proof",
      {
        config,
        schema: {
          operationId: "getLedgerProof",
          summary: "Get an inclusion proof of a ledger entry",
          querystring: ProofQuery,
          response: { 200: ProofBody },
        },
      },
      async ({ query }) => ledger.prove(query.case_id, query.sequence),
    );

    app.get(
      "/ledger/bundle",
      {
        config,
        schema: {
          operationId: "getLedgerBundle",
          summary: "Get the bundle for the offline verifier",
          querystring: BundleQuery,
          response: { 200: BundleBody },
        },
      },
      async ({ query }) => ledger.bundle(query.case_id),
    );

    app.get(
      "/ledger/consistency",
      {
        config,
        schema: {
          operationId: "getLedgerConsistency",
          summary: "Get a consistency proof between two checkpoints",
          querystring: ConsistencyQuery,
          response: { 200: ConsistencyBody },
        },
      },
      async ({ query }) => ledger.proveConsistency(query.from, query.to),
    );
  };
}
