import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { AutomationPreviewBody, PreviewAutomationRequest } from "./automation-previews.schema.ts";
import type { AutomationPreviewsService } from "./automation-previews.service.ts";

export function automationPreviewsRoutes(previews: AutomationPreviewsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/soar/automations/preview",
      {
        config: { needs: ["soar:manage", "alerts:read"], effect: "none" },
        schema: {
          operationId: "previewAutomation",
          summary: "Preview an automation",
          body: PreviewAutomationRequest,
          response: { 200: AutomationPreviewBody },
        },
      },
      async ({ body }) => previews.preview(body),
    );
  };
}
