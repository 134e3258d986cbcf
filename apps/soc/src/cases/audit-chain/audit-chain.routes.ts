import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import type { AuditBundleService } from "./audit-bundle.service.ts";
import { AuditBundleBody, AuditBundleQuery, AuditChainStatusBody } from "./audit-chain.schema.ts";

export interface AuditChainReader extends AuditBundleService {
  status(): Promise<AuditChainStatusBody>;
}

export function auditChainRoutes(audit: AuditChainReader): Routes {
  const config = { needs: ["audit:read"] } as const;
  return async (app) => {
    app.get(
      "/audit/bundle",
      operation("getAuditBundle", "Get audit entries with their proofs", config, {
        description:
          "Entries with the batches that name them, and the proofs of these batches. An entry that no batch names, or whose batch has no path, is in no checkpoint yet. 400 if more than 1,000 entries match.",
        querystring: AuditBundleQuery,
        response: { 200: AuditBundleBody },
      }),
      async ({ query }) => audit.bundle(query),
    );

    app.get(
      "/audit/status",
      operation("getAuditStatus", "Get the status of the chain of the audit log", config, {
        description: "Entries join the ledger in the background and are sent to the configured receivers after that.",
        response: { 200: AuditChainStatusBody },
      }),
      async () => audit.status(),
    );
  };
}
