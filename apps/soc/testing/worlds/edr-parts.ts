import type { Clock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { createAuditStore } from "../../src/foundation/audit/audit.store.ts";
import { createMemoryOutboundStore } from "../../src/foundation/outbound/memory-outbound.store.ts";
import { createOutboundStore } from "../../src/foundation/outbound/outbound.store.ts";
import { createOutbound } from "../../src/foundation/outbound/outbound-parts.ts";
import { createActionsStore } from "../../src/response/edr/actions.store.ts";
import { createCircuitStore } from "../../src/response/edr/circuit.store.ts";
import { createShowcaseActionsStore, createShowcaseEndpointsStore } from "../../src/response/edr/edr.showcase.ts";
import { createEdrWorker } from "../../src/response/edr/edr.worker.ts";
import { createEdrActionsService } from "../../src/response/edr/edr-actions.service.ts";
import { createEdrAdapter, type EdrAdapterSettings } from "../../src/response/edr/edr-adapter.service.ts";
import { createEndpointsService } from "../../src/response/edr/endpoints.service.ts";
import { createEndpointsStore } from "../../src/response/edr/endpoints.store.ts";
import { edrOf } from "../../src/showcase/showcase-endpoints.ts";
import type { TestPlatform } from "./feature-app.ts";

export type EdrSurroundings = Pick<TestPlatform, "db" | "runtime" | "ids" | "changes"> & { clock: Clock };

/** The EDR feature as a process of the platform has it. */
export async function edrParts(surroundings: EdrSurroundings, settings: EdrAdapterSettings | undefined) {
  const { db, runtime, ids, changes, clock } = surroundings;
  const { mode } = await runtime.truth();
  const start = { id: ids.next(), at: clock.now(), mode };
  const { outbound } = createOutbound({
    runtime,
    stores: {
      database: createOutboundStore(db),
      showcase: createMemoryOutboundStore({ start, isAlone: true }),
    },
    httpAdapters: [],
    configured: ["edr"],
    clock,
    ids,
    log: silentLog,
  });
  const audit = createAuditStore(ids);
  const adapter = createEdrAdapter({ settings, outbound, circuit: createCircuitStore(db), clock });
  const told = edrOf(clock.now());
  const stores = { database: createEndpointsStore(db), showcase: createShowcaseEndpointsStore(told, clock) };
  const endpoints = createEndpointsService({
    runtime,
    stores,
    adapters: { database: adapter, showcase: { state: async () => ({ configured: false, state: "none" }) } },
    audit,
    clock,
  });
  const actions = createEdrActionsService({
    runtime,
    changes,
    db,
    stores: { database: createActionsStore(db), showcase: createShowcaseActionsStore(told) },
    endpoints: stores,
    adapter,
    audit,
    clock,
    ids,
    log: silentLog,
  });
  return { endpoints, actions, worker: createEdrWorker({ runtime, actions, clock, log: silentLog }) };
}
