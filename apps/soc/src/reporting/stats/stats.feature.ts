import type { Base, Count, Registrations } from "../../foundation/base.ts";
import type { Db } from "../../foundation/database/tables.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import { statsRoutes } from "./stats.routes.ts";
import { createStatsService, type StatsServiceDeps } from "./stats.service.ts";
import { createShowcaseStatsStore, createStatsStore } from "./stats.store.ts";
import type { FeatureCounts } from "./stats.ts";

export interface StatsNeeds {
  topRules: StatsServiceDeps["topRules"];
  /** The counts of other features. */
  counts: {
    approvals_pending: Count<FeatureCounts["approvals_pending"]>;
    agents: Count<FeatureCounts["agents"]>;
    endpoints: Count<FeatureCounts["endpoints"]>;
    devices: Count<FeatureCounts["devices"]>;
    detections: Count<FeatureCounts["detections"]>;
  };
}

export function createStats(base: Base, { topRules, counts }: StatsNeeds) {
  const { approvals_pending, agents, endpoints, devices, detections } = counts;
  // Sequential, because a transaction has one connection.
  const countStored = async (tx: Db, now: Date): Promise<FeatureCounts> => ({
    approvals_pending: await approvals_pending.stored(tx, now),
    agents: await agents.stored(tx, now),
    endpoints: await endpoints.stored(tx, now),
    devices: await devices.stored(tx, now),
    detections: await detections.stored(tx, now),
  });
  const countShown = (showcase: Showcase, now: Date): FeatureCounts => ({
    approvals_pending: approvals_pending.shown(showcase, now),
    agents: agents.shown(showcase, now),
    endpoints: endpoints.shown(showcase, now),
    devices: devices.shown(showcase, now),
    detections: detections.shown(showcase, now),
  });
  const { runtime, clock } = base;
  const stats = createStatsService({
    runtime,
    stores: base.sources(
      (db) => createStatsStore(db, countStored),
      (showcase) => createShowcaseStatsStore(showcase, countShown(showcase, clock.now())),
    ),
    topRules,
    clock,
  });
  return { services: { stats }, registrations: { routes: [statsRoutes(stats)] } satisfies Registrations };
}
