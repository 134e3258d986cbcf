import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { PreviewOf } from "../../../foundation/lists/lists.schema.ts";
import { answer } from "../../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../../foundation/runtime/changes.service.ts";
import { SourcePath, SourceSettingsBody, UpdateSourceRequest } from "./source-settings.schema.ts";
import type { SourceSettingsService } from "./source-settings.service.ts";

export function sourceSettingsRoutes(
  settings: SourceSettingsService,
  changes: ChangesService,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.patch(
      "/siem/sources/:source",
      {
        // By people only: a shipper must not switch off the watch over its own source.
        config: { needs: ["detections:write"], effect: "change" },
        schema: {
          operationId: "updateLogSource",
          summary: "Update the settings of a log source",
          params: SourcePath,
          body: UpdateSourceRequest,
          response: { 200: Type.Union([SourceSettingsBody, PreviewOf(SourceSettingsBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const updated = await changes.run(request, (tx, caller) => settings.update(tx, caller, params.source, body));
        return answer(reply, 200, updated);
      },
    );
  };
}
