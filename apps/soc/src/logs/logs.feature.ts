import type { AlertsService } from "../alerts/module.ts";
import type { Base, Registrations } from "../foundation/base.ts";
import type { LogStore } from "../ports/log-store.ts";
import { logFieldsRoutes } from "./log-fields/log-fields.routes.ts";
import { createLogFieldsService } from "./log-fields/log-fields.service.ts";
import type { Attempt } from "./log-summaries/coverage.ts";
import { logSummariesRoutes } from "./log-summaries/log-summaries.routes.ts";
import { createLogSummariesService } from "./log-summaries/log-summaries.service.ts";
import { createShowcaseLogSummaries } from "./log-summaries/log-summaries.showcase.ts";
import { createLogSummariesStore } from "./log-summaries/log-summaries.store.ts";
import { processesRoutes } from "./processes/processes.routes.ts";
import { createProcessesService } from "./processes/processes.service.ts";
import { createSearchAction } from "./search/logs.actions.ts";
import { logsRoutes } from "./search/logs.routes.ts";
import { createLogsService } from "./search/logs.service.ts";
import { createShowcaseLogsStore } from "./search/logs.showcase.ts";
import { createLogsStore } from "./search/logs.store.ts";
import { sourcesRoutes } from "./search/sources.routes.ts";
import { createSourcesService, type SourceCounters } from "./search/sources.service.ts";
import { createNamedSearch } from "./searches/named-search.ts";
import { searchesRoutes } from "./searches/searches.routes.ts";
import { createSearchesService } from "./searches/searches.service.ts";

export interface LogsNeeds {
  logStore: LogStore;
  alerts: Pick<AlertsService, "findNaming">;
  /** The intake's counters and settings by source. */
  counters: SourceCounters["counters"];
  settings: SourceCounters["settings"];
  /** How long a summary may take. */
  attempts?: readonly Attempt[];
}

export function createLogs(base: Base, { logStore, alerts, counters, settings, attempts }: LogsNeeds) {
  const { runtime, clock } = base;
  const stores = base.sources(
    () => createLogsStore(logStore),
    (showcase) => createShowcaseLogsStore(showcase.logs),
  );
  const logs = createLogsService({ runtime, stores, clock });
  const sources = createSourcesService({
    runtime,
    stores: base.sources(
      () => ({ logs: stores.database, intake: { counters, settings } }),
      (showcase) => ({
        logs: stores.showcase,
        intake: { counters: async () => showcase.log_counters, settings: async () => new Map() },
      }),
    ),
  });
  const counting = base.sources(
    () => createLogSummariesStore(logStore),
    (showcase) => createShowcaseLogSummaries(showcase.logs),
  );
  const summaries = createLogSummariesService({ runtime, stores: counting, clock, attempts });
  const fields = createLogFieldsService({
    runtime,
    stores: base.sources(
      () => ({ logs: stores.database, summaries: counting.database }),
      () => ({ logs: stores.showcase, summaries: counting.showcase }),
    ),
    clock,
    attempts,
  });
  const processes = createProcessesService({ logs, alerts });
  const searches = createSearchesService();
  const begin = createNamedSearch(searches);
  return {
    services: { logs, sources },
    registrations: {
      routes: [
        logsRoutes(logs, begin),
        logSummariesRoutes(summaries, begin),
        logFieldsRoutes(fields, begin),
        sourcesRoutes(sources),
        processesRoutes(processes, begin),
        searchesRoutes(searches),
      ],
      actions: [createSearchAction({ logs, clock })],
      readers: { log: ["siem:read"] as const },
    } satisfies Registrations,
  };
}
