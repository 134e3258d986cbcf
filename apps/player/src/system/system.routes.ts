import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { SystemBody } from "./system.schema.ts";
import type { SystemService } from "./system.service.ts";

export function systemRoutes(system: SystemService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/system",
      {
        config: { access: "none", budget: "status" },
        schema: { operationId: "getSystem", summary: "Get the system state", response: { 200: SystemBody } },
      },
      async () => system.get(),
    );
  };
}
