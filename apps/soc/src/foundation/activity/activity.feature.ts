import type { AuditService } from "../audit/audit.service.ts";
import { collectReaders, collectSights } from "../events/event.ts";
import type { Registrations } from "../registrations.ts";
import { activityRoutes } from "./activity.routes.ts";
import { createActivityService } from "./activity.service.ts";

/** `GET /activity` for the given features: who may receive the events of a record may read what happened to it. */
export function createActivity(
  features: readonly Pick<Registrations, "readers" | "sights">[],
  { auditLog }: { auditLog: Pick<AuditService, "list"> },
) {
  const readers = collectReaders(features);
  const activity = createActivityService({ auditLog, readers, sights: collectSights(features) });
  return { services: { activity }, registrations: { routes: [activityRoutes(activity)] } satisfies Registrations };
}
