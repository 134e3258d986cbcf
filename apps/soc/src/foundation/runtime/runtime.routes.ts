import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { RuntimeTruthBody } from "./runtime.schema.ts";
import type { RuntimeService } from "./runtime.service.ts";

export function runtimeRoutes(runtime: RuntimeService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/system/mode",
      {
        config: { needs: "authenticated", bySite: "own", worksOffline: true },
        schema: { response: { 200: RuntimeTruthBody } },
      },
      async () => runtime.truth(),
    );
  };
}
