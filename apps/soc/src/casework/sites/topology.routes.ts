import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { TopologyBody } from "./topology.schema.ts";
import type { TopologyService } from "./topology.service.ts";

export function topologyRoutes(topology: TopologyService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/system/topology",
      { config: { needs: "authenticated" }, schema: { response: { 200: TopologyBody } } },
      async () => topology.topology(),
    );
  };
}
