import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { SitesService } from "./sites.service.ts";
import type { TopologyBody } from "./topology.schema.ts";

export interface TopologyServiceDeps {
  /** What this process is and where it runs; it does not change while it runs. */
  machine: Pick<TopologyBody, "deployment_mode" | "hostname" | "platform">;
  runtime: Pick<RuntimeService, "truth">;
  sites: Pick<SitesService, "all">;
}
export type TopologyService = ReturnType<typeof createTopologyService>;

export function createTopologyService({ machine, runtime, sites }: TopologyServiceDeps) {
  return {
    async topology(): Promise<TopologyBody> {
      const { mode } = await runtime.truth();
      return { ...machine, runtime_mode: mode, sites: await sites.all() };
    },
  };
}
