import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { ResetResult } from "./reset.schema.ts";
import type { ResetService } from "./reset.service.ts";

export function resetRoutes(reset: ResetService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/reset",
      {
        config: { access: "token", budget: "reset" },
        schema: {
          operationId: "resetDevice",
          summary: "Reset the device to factory settings",
          description: "The device gets a new token.",
          response: { 200: ResetResult },
        },
      },
      async () => {
        await reset.reset();
        return { success: true };
      },
    );
  };
}
