import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { AutomationPreviewBody, PreviewAutomationRequest } from "./automation-previews.schema.ts";
import type { AutomationPreviewsService } from "./automation-previews.service.ts";

export function automationPreviewsRoutes(previews: AutomationPreviewsService): Routes {
  return async (app) => {
    app.post(
      "/soar/automations/preview",
      operation(
        "previewAutomation",
        "Preview an automation",
        { needs: ["soar:manage", "alerts:read"], effect: "none" },
        {
          description: "Covers the last 7 days unless `from` and `to` say otherwise. Changes nothing.",
          body: PreviewAutomationRequest,
          response: { 200: AutomationPreviewBody },
        },
      ),
      async ({ body }) => previews.preview(body),
    );
  };
}
