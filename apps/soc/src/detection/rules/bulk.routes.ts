import Type from "typebox";
import { WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { BulkRulesBody, BulkRulesRequest } from "./bulk.schema.ts";
import type { BulkService } from "./bulk.service.ts";

const STILL_DETECTING = Type.Object({
  enabled: Type.Optional(Type.Literal(true)),
  delete: Type.Optional(Type.Literal(false)),
});

export function bulkRoutes(bulk: BulkService, changes: ChangesService): Routes {
  return async (app) => {
    app.post(
      "/detections/rules/bulk",

      // A service account prunes rules as code.
      operation(
        "changeRules",
        "Change many detection rules",
        { needs: ["detections:write"], effect: "change", byKey: true, stepUp: { unless: STILL_DETECTING } },
        {
          description:
            "Takes `ids`, or `filter` with `expected_total` (at most 10,000). 409 when an id does not exist or the filter selects another number of rules, 400 for an unknown filter; then nothing changes. `delete` stands alone. A rule that would not change gets no new version.",
          body: BulkRulesRequest,
          response: { 200: WithPreviewOf(BulkRulesBody) },
        },
      ),
      async (request, reply) =>
        answer(reply, 200, await changes.run(request, (tx, caller) => bulk.change(tx, caller, request.body))),
    );
  };
}
