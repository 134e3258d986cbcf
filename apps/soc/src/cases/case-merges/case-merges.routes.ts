import { WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { MergedBody, MergeParams, MergeRequest } from "./case-merges.schema.ts";
import type { CaseMergesService } from "./case-merges.service.ts";

export function caseMergesRoutes(merges: CaseMergesService, changes: Pick<ChangesService, "run">): Routes {
  return async (app) => {
    app.post(
      "/cases/:case_id/merge",
      operation(
        "mergeCases",
        "Merge cases into a case",
        { needs: ["alerts:write", "cases:write"], effect: "change", byKey: true, bySite: "records" },
        {
          description: "Moves everything of the named cases into the case of the path.",
          params: MergeParams,
          body: MergeRequest,
          response: { 200: WithPreviewOf(MergedBody) },
        },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          merges.merge(tx, caller, request.params.case_id, request.body.from, request.headers["if-match"]),
        ),
    );
  };
}
