import type { AlertsService } from "../../alerts/module.ts";
import type { Base, Registrations } from "../../foundation/base.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { createFinder } from "../../foundation/search/finder.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { Bodies } from "../../logs/module.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { createIocHitsService } from "./ioc-hits.service.ts";
import { createChangedIocsStore, createIocHitsStore, createSearchesStore } from "./ioc-hits.store.ts";
import { createIocWatch } from "./ioc-watch.ts";
import { createIocActions } from "./iocs.actions.ts";
import { iocsRoutes } from "./iocs.routes.ts";
import { createIocsService } from "./iocs.service.ts";
import { createIocsStore, createIocsWriter, createShowcaseIocsStore } from "./iocs.store.ts";
import { createIocsWorker } from "./iocs.worker.ts";
import { createIocsExchange } from "./iocs-exchange.ts";

export interface IocsNeeds {
  alerts: AlertsService;
  logStore: Pick<LogStore, "lane">;
  bodies: Bodies;
}

export function createIocs(base: Base, { alerts, logStore, bodies }: IocsNeeds) {
  const { db, runtime, changes, audit, clock, ids, log } = base;
  const hits = createIocHitsService({ db, alerts, clock, ids });
  const iocs = createIocsService({
    runtime,
    stores: base.sources(createIocsStore, (showcase) => createShowcaseIocsStore(showcase.iocs)),
    audit,
    clock,
  });
  const exchange = createIocsExchange({ iocs, clock, ids });
  return {
    services: {
      iocs,
      hits,
      /** Matches every new log against all indicators; for the worker that reads the stream. */
      createWatch: () => createIocWatch({ changed: createChangedIocsStore(db), hits, clock, log }),
    },
    registrations: {
      routes: [iocsRoutes({ iocs, exchange, bodies, changes })],
      actions: createIocActions({ iocs, clock }),
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        // Storing a hit counts it, so the count starts at 0.
        const rows = showcase.iocs.map(({ seen_in: _, ...ioc }) => {
          return { ...ioc, hits: 0, created_at: ioc.first_seen, updated_at: ioc.first_seen };
        });
        await createIocsWriter(tx).insertNew(rows);
        const seen = showcase.iocs.flatMap(({ id: ioc_id, seen_in }) => {
          return seen_in.map((hit) => ({ ...hit, id: ids.next(), ioc_id }));
        });
        await createIocHitsStore(tx).insert(seen);
      },
      readers: { ioc: ["iocs:read"] as const },
      finders: [
        createFinder("ioc", ["iocs:read"], async (_caller, q, limit) => {
          const { items } = await iocs.list({ q, limit });
          return items.map(({ id, value: title, type, last_seen: at }) => ({ id, title, subtitle: type, at }));
        }),
      ],
      sweeps: [{ name: "indicator hits", run: () => hits.sweep() }],
      createWork: () => ({
        background: () => [
          createIocsWorker({
            searches: createSearchesStore(db),
            hits,
            logs: logStore.lane("rules"),
            isAllowed: async () => (await runtime.truth()).is_internal_workflows_allowed,
            clock,
            log,
          }),
        ],
      }),
    } satisfies Registrations,
  };
}
