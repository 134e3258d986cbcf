import { callerOf } from "../../foundation/caller/caller.ts";
import { WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { LogParams } from "./logs.schema.ts";
import { PromotedBody, PromoteLogBody } from "./promote.schema.ts";
import type { PromoteService } from "./promote.service.ts";

const change = { needs: ["alerts:write"], effect: "change", byKey: true, bySite: "records" } as const;

export function promoteRoutes(promotions: PromoteService, changes: ChangesService): Routes {
  return async (app) => {
    app.post(
      "/siem/logs/:log_id/promote",
      operation("promoteLog", "Create an alert from a log", change, {
        description: "With `create_case` also needs `cases:write`. 409 under an active suppression.",
        params: LogParams,
        body: PromoteLogBody,
        response: { 200: WithPreviewOf(PromotedBody), 201: PromotedBody },
      }),
      async (request, reply) => {
        const caller = callerOf(request);
        const { params, body } = request;
        const promotion = await promotions.prepare(caller, params.log_id, body ?? {});
        const { dry_run, result } = await promotions.retryWhileBusy(() =>
          changes.run(request, (tx) => promotions.promote(tx, caller, promotion)),
        );
        const { isNew, ...promoted } = result;
        return answer(reply, isNew ? 201 : 200, { dry_run, result: promoted });
      },
    );
  };
}
