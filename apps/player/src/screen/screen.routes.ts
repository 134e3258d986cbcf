import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { ScreenService } from "./screen.service.ts";

export function screenRoutes(screen: Pick<ScreenService, "screenshot">): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/debug/screenshot",
      {
        config: { access: "token", budget: "screenshot" },
        schema: {
          operationId: "getScreenshot",
          summary: "Get a screenshot",
          description: "A BMP of 320x240 with 24 bits per pixel.",
        },
      },
      async (_request, reply) => reply.type("image/bmp").send(await screen.screenshot()),
    );
  };
}
