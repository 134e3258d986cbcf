import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { LogParams } from "./logs.schema.ts";
import { PromotedBody, PromoteLogBody } from "./promote.schema.ts";
import type { PromoteService } from "./promote.service.ts";

const change = { needs: ["alerts:write"], effect: "change", byKey: true, bySite: "records" } as const;

export function promoteRoutes(promotions: PromoteService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/siem/logs/:log_id/promote",
      {
        config: change,
        schema: {
          operationId: "promoteLog",
          summary: "Create an alert from a log",
          params: LogParams,
          body: PromoteLogBody,
          response: { 200: Type.Union([PromotedBody, PreviewOf(PromotedBody)]), 201: PromotedBody },
        },
      },
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
