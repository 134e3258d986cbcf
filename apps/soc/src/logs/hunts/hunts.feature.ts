import type { Base, Registrations } from "../../foundation/base.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { createFinder, filterByTitle, MAX_SEARCHED } from "../../foundation/search/finder.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { LogsService } from "../search/logs.service.ts";
import { huntsRoutes } from "./hunts.routes.ts";
import { createHuntsService } from "./hunts.service.ts";
import { createHuntsStore, createHuntsWriter, createShowcaseHuntsStore } from "./hunts.store.ts";

export interface HuntsNeeds {
  logs: LogsService;
}

export function createHunts(base: Base, { logs }: HuntsNeeds) {
  const { runtime, changes, audit, clock, ids } = base;
  const hunts = createHuntsService({
    runtime,
    stores: base.sources(createHuntsStore, (showcase) => createShowcaseHuntsStore(showcase.hunts)),
    logs,
    audit,
    clock,
    ids,
  });
  return {
    services: { hunts },
    registrations: {
      routes: [huntsRoutes(hunts, changes)],
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        const writer = createHuntsWriter(tx);
        for (const hunt of showcase.hunts) await writer.insert(hunt);
      },
      readers: { hunt: ["siem:read"] as const },
      finders: [
        createFinder("hunt", ["siem:read"], async (caller, q, limit) => {
          const { items } = await hunts.list(caller, { limit: MAX_SEARCHED });
          const found = items.map(({ id, title, query, updated_at: at }) => ({ id, title, subtitle: query, at }));
          return filterByTitle(found, q, limit);
        }),
      ],
    } satisfies Registrations,
  };
}
