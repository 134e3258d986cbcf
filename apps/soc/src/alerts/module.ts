import type { TSchema } from "typebox";
import type { Base, Registrations } from "../foundation/base.ts";
import { type Scope, toScope } from "../foundation/caller/caller.ts";
import type { Tx } from "../foundation/database/tables.ts";
import { createSiteFinder, findOrSearch } from "../foundation/search/finder.ts";
import type { Showcase } from "../foundation/showcase/showcase.ts";
import { alertSummariesRoutes } from "./alert-summaries/alert-summaries.routes.ts";
import { createAlertSummariesService } from "./alert-summaries/alert-summaries.service.ts";
import { createShowcaseAlertSummaries } from "./alert-summaries/alert-summaries.showcase.ts";
import { createAlertSummariesStore } from "./alert-summaries/alert-summaries.store.ts";
import { toRow } from "./alerts/alert.ts";
import type { AlertChanges } from "./alerts/alert-changes.ts";
import type { CompileAlertQuery } from "./alerts/alert-query.ts";
import { createAlertActions } from "./alerts/alerts.actions.ts";
import { alertsRoutes } from "./alerts/alerts.routes.ts";
import { type CasesOfAlerts, createAlertsService, type VerdictsOfAlerts } from "./alerts/alerts.service.ts";
import { createAlertsStore, createAlertsWriter, createShowcaseAlertsStore } from "./alerts/alerts.store.ts";
import { caseAlertsRoutes } from "./alerts/case-alerts.routes.ts";
import { bulkChangesRoutes } from "./bulk-changes/bulk-changes.routes.ts";
import { createBulkChangesService } from "./bulk-changes/bulk-changes.service.ts";
import { createEntitiesService } from "./entities/entities.service.ts";
import { createEntitiesStore, createShowcaseEntities } from "./entities/entities.store.ts";

export type { AlertSummariesService } from "./alert-summaries/alert-summaries.service.ts";
export { chooseInterval, findBucket } from "./alert-summaries/interval.ts";
export { countSeverities } from "./alert-summaries/severity-counts.ts";
export { ALERT_COLUMNS, type Alert, type AlertRow, buildAlert, type NewAlert } from "./alerts/alert.ts";
export { type AlertChanges, createAlertChanges } from "./alerts/alert-changes.ts";
export { findEntityName, mergeEntities, NO_ENTITIES, unifyField } from "./alerts/alert-entities.ts";
export { listQueryKeys, parseSpan } from "./alerts/alert-filters.ts";
export type { AlertQuery, AlertTest } from "./alerts/alert-query.ts";
export { ALERT_LIMITS, countedLogs, findSite, type ReportedLog, sharedFields } from "./alerts/alert-report.ts";
export { oneLine, paragraphs } from "./alerts/alert-text.ts";
export type { AlertsService, CaseOfAlert } from "./alerts/alerts.service.ts";
export type { EntitiesService } from "./entities/entities.service.ts";
export { type Entity, type EntityAlert, formatEntity, listAliases, listEntities, toEntity } from "./entities/entity.ts";
export { computeRisk } from "./entities/risk.ts";
export { createEventDelays } from "./event-delays/event-delays.feature.ts";

export interface AlertsNeeds {
  changes: AlertChanges;
  cases: CasesOfAlerts;
  /** The schema of a case in an answer. */
  caseBody: TSchema;
  verdicts?: VerdictsOfAlerts;
  /** Passed in, because the query language belongs to the logs, which are created later. */
  compileQuery: CompileAlertQuery;
}

export function createAlerts(base: Base, needs: AlertsNeeds) {
  const { runtime, audit, clock, ids } = base;
  const alerts = createAlertsService({
    ...needs,
    runtime,
    stores: base.sources(createAlertsStore, (showcase) => createShowcaseAlertsStore(showcase.alerts)),
    audit,
    clock,
    ids,
  });
  const summaries = createAlertSummariesService({
    runtime,
    stores: base.sources(createAlertSummariesStore, (showcase) => createShowcaseAlertSummaries(showcase.alerts)),
    clock,
    compileQuery: needs.compileQuery,
  });
  const entities = createEntitiesService({
    runtime,
    stores: base.sources(createEntitiesStore, (showcase) => createShowcaseEntities(showcase.alerts)),
    clock,
  });
  const bulk = createBulkChangesService({ ...needs, audit, clock, ids });
  return {
    services: { alerts, summaries, entities },
    registrations: {
      routes: [
        alertSummariesRoutes(summaries),
        alertsRoutes(alerts, bulk, base.changes, needs.caseBody),
        bulkChangesRoutes(bulk, base.changes),
        caseAlertsRoutes(alerts, base.changes),
      ],
      sweeps: [{ name: "bulk changes", run: () => bulk.sweep(base.db) }],
      actions: createAlertActions({ alerts }),
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        const writer = createAlertsWriter(tx);
        for (const alert of showcase.alerts) await writer.insert(toRow(alert));
      },
      readers: { alert: ["alerts:read"] as const },
      sights: { alert: { filter: (scope: Scope, ids: readonly string[]) => alerts.filter(scope, ids) } },
      finders: [
        createSiteFinder("alert", ["alerts:read"], async (caller, q, limit) => {
          const scope = toScope(caller);
          const found = await findOrSearch(
            q,
            (id) => alerts.get(scope, id),
            () => alerts.list(scope, { q, limit }),
          );
          return found.map(({ id, title, severity, last_seen: at }) => ({ id, title, subtitle: severity, at }));
        }),
      ],
    } satisfies Registrations,
  };
}
