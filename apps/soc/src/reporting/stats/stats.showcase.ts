import type { Alert } from "../../alerts/module.ts";
import type { Case } from "../../cases/module.ts";
import { periodInMemory } from "./period.ts";
import type { StatsStore } from "./stats.store.ts";
import { countInMemory, type FeatureCounts } from "./stats.ts";

export function createShowcaseStatsStore(
  { alerts, cases }: { alerts: readonly Alert[]; cases: readonly Case[] },
  others: FeatureCounts,
): StatsStore {
  return {
    look: async (now) => ({ ...countInMemory(alerts, cases, now), ...others }),
    period: async (period) => periodInMemory(alerts, cases, period),
  };
}
