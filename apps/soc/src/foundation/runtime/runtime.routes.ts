import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { RuntimeTruthBody } from "./runtime.schema.ts";
import type { RuntimeService } from "./runtime.service.ts";

export function runtimeRoutes(runtime: RuntimeService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/system/mode",
      {
        config: { needs: "authenticated", bySite: "own", worksOffline: true },
        schema: { operationId: "getSystemMode", summary: "Get the runtime mode", response: { 200: RuntimeTruthBody } },
      },
      async () => runtime.truth(),
    );
  };
}
