import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { BulkUpdateBody, BulkUpdateRequest, UndoBody, UndoRequest } from "./bulk-changes.schema.ts";
import type { BulkChangesService } from "./bulk-changes.service.ts";

const change = { needs: ["alerts:write"], effect: "change", byKey: true, bySite: "records" } as const;

export function bulkChangesRoutes(bulk: BulkChangesService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/alerts/bulk",
      {
        config: change,
        schema: {
          operationId: "updateAlerts",
          summary: "Update many alerts",
          body: BulkUpdateRequest,
          response: { 200: Type.Union([BulkUpdateBody, PreviewOf(BulkUpdateBody)]) },
        },
      },
      async (request, reply) => {
        const updated = await bulk.inTurn(() =>
          changes.run(request, (tx, caller) => bulk.update(tx, caller, request.body)),
        );
        return answer(reply, 200, updated);
      },
    );
    app.post(
      "/alerts/undo",
      {
        config: change,
        schema: {
          operationId: "undoAlertChange",
          summary: "Undo a change of alerts",
          body: UndoRequest,
          response: { 200: Type.Union([UndoBody, PreviewOf(UndoBody)]) },
        },
      },
      async (request, reply) => {
        const undone = await bulk.inTurn(() =>
          changes.run(request, (tx, caller) => bulk.undo(tx, caller, request.body.change_id)),
        );
        return answer(reply, 200, undone);
      },
    );
  };
}
