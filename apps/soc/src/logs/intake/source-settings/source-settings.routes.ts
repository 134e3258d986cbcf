import { WithPreviewOf } from "../../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../../foundation/runtime/operation.ts";
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
      async (request, reply) => {
        const { params, body } = request;
        const updated = await changes.run(request, (tx, caller) => settings.update(tx, caller, params.source, body));
        return answer(reply, 200, updated);
      },
    );
  };
}
