import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { BulkRulesBody, BulkRulesRequest } from "./bulk.schema.ts";
import type { BulkService } from "./bulk.service.ts";

export function bulkRoutes(bulk: BulkService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/detections/rules/bulk",
      {
        // Rules as code are pruned by a service account.
        config: { needs: ["detections:write"], effect: "change", byKey: true },
        schema: {
          operationId: "changeRules",
          summary: "Change many detection rules",
          body: BulkRulesRequest,
          response: { 200: Type.Union([BulkRulesBody, PreviewOf(BulkRulesBody)]) },
        },
      },
      async (request, reply) =>
        answer(reply, 200, await changes.run(request, (tx, caller) => bulk.change(tx, caller, request.body))),
    );
  };
}
