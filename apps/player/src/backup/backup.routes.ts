import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { BackupBody, RestoreResult } from "./backup.schema.ts";
import type { BackupService } from "./backup.service.ts";

// 200 favorites, 100 stations, 256 cards and 64 schedules of maximum size stay below this limit.
const MAX_BYTES = 2 * 1024 * 1024;

export function backupRoutes(backup: BackupService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/backup",
      {
        config: { access: "token", budget: "read" },
        schema: {
          operationId: "exportBackup",
          summary: "Export a backup",
          description: "Contains no secret.",
          response: { 200: BackupBody },
        },
      },
      async () => backup.read(),
    );
    app.post(
      "/backup",
      {
        config: { access: "token", budget: "mutation" },
        bodyLimit: MAX_BYTES,
        schema: {
          operationId: "restoreBackup",
          summary: "Restore a backup",
          description:
            "Takes the answer of the export, to 2 MiB. A part that is left out does not change; all parts are restored or none.",
          body: BackupBody,
          response: { 200: RestoreResult },
        },
      },
      async ({ body }) => ({ success: true, restored: await backup.restore(body) }),
    );
  };
}
