import { WithPreviewOf } from "../../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../../foundation/runtime/operation.ts";
import { SourcePath, SourceSettingsBody, UpdateSourceRequest } from "./source-settings.schema.ts";
import type { SourceSettingsService } from "./source-settings.service.ts";

export function sourceSettingsRoutes(settings: SourceSettingsService, changes: ChangesService): Routes {
  return async (app) => {
    app.patch(
      "/siem/sources/:source",

      // For people only: a shipper must not disable the monitoring of its own source.
      operation(
        "updateLogSource",
        "Update the settings of a log source",
        { needs: ["detections:write"], effect: "change" },
        {
          description: "Refuses API keys. `timezone` is null or a zone such as `Europe/Berlin`.",
          params: SourcePath,
          body: UpdateSourceRequest,
          response: { 200: WithPreviewOf(SourceSettingsBody) },
        },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          settings.update(tx, caller, request.params.source, request.body),
        ),
    );
  };
}
