import type { Base } from "../base.ts";
import { auditRoutes } from "./audit.routes.ts";
import { createAuditService } from "./audit.service.ts";
import { createEntriesStore, createShowcaseEntriesStore } from "./entries.store.ts";

export function createAuditLog(base: Base) {
  const auditLog = createAuditService({
    runtime: base.runtime,
    stores: base.sources(createEntriesStore, (showcase) => createShowcaseEntriesStore(showcase.audit)),
  });
  return { auditLog, routes: [auditRoutes(auditLog)] };
}
