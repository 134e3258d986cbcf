import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { TestAdhanResult } from "./adhan.schema.ts";
import type { AdhanService } from "./adhan.service.ts";

export function adhanRoutes(adhan: Pick<AdhanService, "test">): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/prayer/test-adhan",
      {
        config: { access: "token", budget: "playback" },
        schema: {
          operationId: "testAdhan",
          summary: "Play the adhan now",
          description: "Starts the configured adhan.",
          response: { 200: TestAdhanResult },
        },
      },
      async () => ({ success: true, ...(await adhan.test()) }),
    );
  };
}
