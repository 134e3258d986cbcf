import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { MergedBody, MergeParams, MergeRequest } from "./case-merges.schema.ts";
import type { CaseMergesService } from "./case-merges.service.ts";

export function caseMergesRoutes(
  merges: CaseMergesService,
  changes: Pick<ChangesService, "run">,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/cases/:case_id/merge",
      {
        config: { needs: ["alerts:write", "cases:write"], effect: "change", byKey: true, bySite: "records" },
        schema: {
          operationId: "mergeCases",
          summary: "Merge cases into a case",
          params: MergeParams,
          body: MergeRequest,
          response: { 200: Type.Union([MergedBody, PreviewOf(MergedBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body, headers } = request;
        const merged = await changes.run(request, (tx, caller) =>
          merges.merge(tx, caller, params.case_id, body.from, headers["if-match"]),
        );
        return answer(reply, 200, merged);
      },
    );
  };
}
