import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerRule } from "./answer-rule.ts";
import { RuleBody } from "./rules.schema.ts";
import { RuleDiffBody, VersionParams, VersionsParams } from "./versions.schema.ts";
import type { VersionsService } from "./versions.service.ts";

export function versionsRoutes(versions: VersionsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/detections/rules/:rule_id/versions/:from/diff/:to",
      {
        config: { needs: ["detections:read"], byKey: true },
        schema: {
          operationId: "compareRuleVersions",
          summary: "Compare two versions of a detection rule",
          params: VersionsParams,
          response: { 200: RuleDiffBody },
        },
      },
      async (request) => {
        const { rule_id, from, to } = request.params;
        return versions.diff(callerOf(request), rule_id, from, to);
      },
    );

    app.post(
      "/detections/rules/:rule_id/versions/:version/restore",
      {
        config: { needs: ["detections:write"], effect: "change" },
        schema: {
          operationId: "restoreRuleVersion",
          summary: "Restore a version of a detection rule",
          params: VersionParams,
          response: { 200: Type.Union([RuleBody, PreviewOf(RuleBody)]) },
        },
      },
      async (request, reply) => {
        const { rule_id, version } = request.params;
        const restored = await changes.run(request, (tx, caller) => versions.restore(tx, caller, rule_id, version));
        return answerRule(reply, 200, restored);
      },
    );
  };
}
