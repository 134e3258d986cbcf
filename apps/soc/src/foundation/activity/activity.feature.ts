import type { AuditService } from "../audit/audit.service.ts";
import type { Registrations } from "../base.ts";
import { collectReaders, collectSights } from "../events/event.ts";
import { activityRoutes } from "./activity.routes.ts";
import { createActivityService } from "./activity.service.ts";

/**
 * Registers `GET /activity` for the given features. A caller who may receive the events of a record may read its
 * history.
 */
export function createActivity(
  features: readonly Pick<Registrations, "readers" | "sights">[],
  { auditLog }: { auditLog: Pick<AuditService, "list"> },
) {
  const readers = collectReaders(features);
  const activity = createActivityService({ auditLog, readers, sights: collectSights(features) });
  return { services: { activity }, registrations: { routes: [activityRoutes(activity)] } satisfies Registrations };
}
