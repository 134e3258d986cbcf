import type { Scope } from "../../foundation/caller/caller.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { SitesService } from "./sites.service.ts";
import type { TopologyBody } from "./topology.schema.ts";

/** The deployment and the host of this process; constant while it runs. */
export type Machine = Pick<TopologyBody, "deployment_mode" | "hostname" | "platform">;

export interface TopologyServiceDeps {
  machine: Machine;
  runtime: Pick<RuntimeService, "truth">;
  sites: Pick<SitesService, "all">;
}
export type TopologyService = ReturnType<typeof createTopologyService>;

export function createTopologyService({ machine, runtime, sites }: TopologyServiceDeps) {
  return {
    async topology(scope: Scope): Promise<TopologyBody> {
      const { mode } = await runtime.truth();
      return { ...machine, runtime_mode: mode, sites: await sites.all(scope) };
    },
  };
}
