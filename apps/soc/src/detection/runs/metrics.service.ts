import type { Clock } from "@kit/clock";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { DetectionMetrics, MetricsStore } from "./metrics.store.ts";

export interface MetricsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: MetricsStore; showcase: MetricsStore };
  clock: Pick<Clock, "now">;
}
export type MetricsService = ReturnType<typeof createMetricsService>;

export function createMetricsService({ runtime, stores, clock }: MetricsServiceDeps) {
  return {
    async read(caller: Caller): Promise<DetectionMetrics> {
      return (await runtime.choose(stores)).read(caller, clock.now());
    },
  };
}
