import type { Base } from "../base.ts";
import type { Tx } from "../database/tables.ts";
import type { Showcase } from "../showcase/showcase.ts";
import { auditRoutes } from "./audit.routes.ts";
import { createAuditService } from "./audit.service.ts";
import { createEntriesStore, createShowcaseEntriesStore } from "./entries.store.ts";

export function createAuditLog(base: Base) {
  const auditLog = createAuditService({
    runtime: base.runtime,
    stores: base.sources(createEntriesStore, (showcase) => createShowcaseEntriesStore(showcase.audit)),
  });
  return {
    auditLog,
    routes: [auditRoutes(auditLog)],
    // Not by the audit store: that one also writes events, and what happened days ago is no news.
    async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
      await tx.insertInto("audit_log").values(showcase.audit).execute();
    },
  };
}
