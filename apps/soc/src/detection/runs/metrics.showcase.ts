import type { DetectionMetrics, MetricsStore } from "./metrics.store.ts";

export function createShowcaseMetricsStore(metricsAt: (now: Date) => DetectionMetrics): MetricsStore {
  return { read: async (_caller, now) => metricsAt(now) };
}
