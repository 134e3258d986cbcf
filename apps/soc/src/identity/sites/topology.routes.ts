import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { TopologyBody } from "./topology.schema.ts";
import type { TopologyService } from "./topology.service.ts";

export function topologyRoutes(topology: TopologyService): Routes {
  return async (app) => {
    app.get(
      "/system/topology",
      operation(
        "getTopology",
        "Get the topology of sites",
        { needs: "authenticated", bySite: "records" },
        { response: { 200: TopologyBody } },
      ),
      async (request) => topology.topology(toScope(callerOf(request))),
    );
  };
}
