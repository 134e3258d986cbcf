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
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        await base.audit.store(tx, showcase.audit);
      },
    } satisfies Registrations,
  };
}
