import type { Base, Count, Registrations } from "../../foundation/base.ts";
import { ALL_SITES, type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { OutboundService } from "../../foundation/outbound/outbound.service.ts";
import { createSiteFinder } from "../../foundation/search/finder.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import { createActionsStore, createActionsWriter } from "./actions.store.ts";
import { createCircuitStore } from "./circuit.store.ts";
import { createEdrActions } from "./edr.actions.ts";
import { edrRoutes } from "./edr.routes.ts";
import { createShowcaseActionsStore, createShowcaseEndpointsStore } from "./edr.showcase.ts";
import { createEdrWorker } from "./edr.worker.ts";
import { createEdrActionsService } from "./edr-actions.service.ts";
import { createEdrAdapter, type EdrAdapterSettings } from "./edr-adapter.ts";
import { createEdrCommandsService, type EdrCommandsDeps } from "./edr-commands.service.ts";
import { createEndpointsService } from "./endpoints.service.ts";
import { createEndpointsStore, createEndpointsWriter } from "./endpoints.store.ts";

export interface EdrNeeds {
  /** The configured adapter; undefined when there is none. */
  settings: EdrAdapterSettings | undefined;
  outbound: OutboundService;
  gate: EdrCommandsDeps["gate"];
  fourEyes: boolean;
}

const COUNT: Count<{ total: number; isolated: number }> = {
  stored: (tx, now) => createEndpointsStore(tx).counts(ALL_SITES, now),
  shown: ({ edr }) => ({
    total: edr.endpoints.length,
    isolated: edr.endpoints.filter(({ reported }) => reported === "isolated").length,
  }),
};

export function createEdr(base: Base, { settings, outbound, gate, fourEyes }: EdrNeeds) {
  const { db, runtime, changes, audit, clock, ids, log } = base;
  const adapter = createEdrAdapter({ settings, outbound, circuit: createCircuitStore(db), clock });
  const endpointStores = base.sources(createEndpointsStore, (showcase) =>
    createShowcaseEndpointsStore(showcase.edr, clock),
  );
  const endpoints = createEndpointsService({
    runtime,
    stores: endpointStores,
    adapters: { database: adapter, showcase: { state: async () => ({ configured: false, state: "none" }) } },
    hasAdapter: settings !== undefined,
    audit,
    clock,
  });
  const actions = createEdrActionsService({
    runtime,
    db,
    stores: base.sources(createActionsStore, (showcase) => createShowcaseActionsStore(showcase.edr)),
    endpoints: endpointStores,
    adapter,
    audit,
    clock,
    ids,
    log,
  });
  const commands = createEdrCommandsService({ changes, edr: actions, gate, fourEyes, ids });
  return {
    services: { endpoints, edrActions: actions, commands, count: COUNT },
    registrations: {
      routes: [edrRoutes({ endpoints, actions, commands }, changes)],
      actions: createEdrActions(actions),
      async storeDemo(tx: Tx, { edr }: Showcase): Promise<void> {
        for (const endpoint of edr.endpoints) await createEndpointsWriter(tx).insert(ALL_SITES, endpoint);
        for (const { action_id: id, hostname: _, ...action } of edr.actions) {
          const sent = { key: `demo:${id}`, attempts: 1, next_attempt_at: null, ended_by: null };
          await createActionsWriter(tx).insertOrFind({ ...action, ...sent, id });
        }
      },
      readers: { endpoint: ["edr:read"] as const },
      sights: { endpoint: { filter: (scope: Scope, ids: readonly string[]) => endpoints.findVisible(scope, ids) } },
      finders: [
        createSiteFinder("endpoint", ["edr:read"], async (caller, q, limit) => {
          const { items } = await endpoints.list(toScope(caller), { q, limit });
          return items.map(({ id, hostname: title, os, last_seen: at }) => ({ id, title, subtitle: os ?? "", at }));
        }),
      ],
      createWork: () => ({ background: () => [createEdrWorker({ runtime, actions, clock, log })] }),
    } satisfies Registrations,
  };
}
