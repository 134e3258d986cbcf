import { auditRoutes } from "./audit/audit.routes.ts";
import { createAuditService } from "./audit/audit.service.ts";
import { createEntriesStore, createShowcaseEntriesStore } from "./audit/entries.store.ts";
import type { Base, Registrations } from "./base.ts";
import type { Tx } from "./database/tables.ts";
import type { Showcase } from "./showcase/showcase.ts";

export function createAuditLog(base: Base) {
  const auditLog = createAuditService({
    runtime: base.runtime,
    stores: base.sources(createEntriesStore, (showcase) => createShowcaseEntriesStore(showcase.audit)),
  });
  return {
    services: { auditLog },
    registrations: {
      routes: [auditRoutes(auditLog)],
      // Not through the audit store, which would also emit events: these changes happened days ago.
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        await tx.insertInto("audit_log").values(showcase.audit).execute();
      },
    } satisfies Registrations,
  };
}
