import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { TopologyBody } from "./topology.schema.ts";
import type { TopologyService } from "./topology.service.ts";

export function topologyRoutes(topology: TopologyService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/system/topology",
      {
        config: { needs: "authenticated", bySite: "records" },
        schema: { operationId: "getTopology", summary: "Get the topology of sites", response: { 200: TopologyBody } },
      },
      async (request) => topology.topology(toScope(callerOf(request))),
    );
  };
}
