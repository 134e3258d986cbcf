import { WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { BulkUpdateBody, BulkUpdateRequest, UndoBody, UndoRequest } from "./bulk-changes.schema.ts";
import type { BulkChangesService } from "./bulk-changes.service.ts";

const change = { needs: ["alerts:write"], effect: "change", byKey: true, bySite: "records" } as const;

export function bulkChangesRoutes(bulk: BulkChangesService, changes: ChangesService): Routes {
  return async (app) => {
    app.post(
      "/alerts/bulk",
      operation("updateAlerts", "Update many alerts", change, {
        description: "Takes `ids` (at most 500), or `filter`, `except_ids` and `expected_total`.",
        body: BulkUpdateRequest,
        response: { 200: WithPreviewOf(BulkUpdateBody) },
      }),
      async (request, reply) => {
        const updated = await bulk.inTurn(() =>
          changes.run(request, (tx, caller) => bulk.update(tx, caller, request.body)),
        );
        return answer(reply, 200, updated);
      },
    );
    app.post(
      "/alerts/undo",
      operation("undoAlertChange", "Undo a change of alerts", change, {
        body: UndoRequest,
        response: { 200: WithPreviewOf(UndoBody) },
      }),
      async (request, reply) => {
        const undone = await bulk.inTurn(() =>
          changes.run(request, (tx, caller) => bulk.undo(tx, caller, request.body.change_id)),
        );
        return answer(reply, 200, undone);
      },
    );
  };
}
