import { callerOf } from "../../foundation/caller/caller.ts";
import { WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerNewVersion, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { RuleBody } from "./rules.schema.ts";
import { RuleDiffBody, VersionParams, VersionsParams } from "./versions.schema.ts";
import type { VersionsService } from "./versions.service.ts";

export function versionsRoutes(versions: VersionsService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/detections/rules/:rule_id/versions/:from/diff/:to",
      operation(
        "compareRuleVersions",
        "Compare two versions of a detection rule",
        { needs: ["detections:read"], byKey: true },
        {
          description: "`unified` compares the exported documents as diff(1) does.",
          params: VersionsParams,
          response: { 200: RuleDiffBody },
        },
      ),
      async (request) => {
        const { rule_id, from, to } = request.params;
        return versions.diff(callerOf(request), rule_id, from, to);
      },
    );

    app.post(
      "/detections/rules/:rule_id/versions/:version/restore",
      operation(
        "restoreRuleVersion",
        "Restore a version of a detection rule",
        { needs: ["detections:write"], effect: "change" },
        {
          description:
            "Creates a version that equals the old one. 403 when that changes its sharing and the caller is neither its author nor an administrator.",
          params: VersionParams,
          response: { 200: WithPreviewOf(RuleBody) },
        },
      ),
      (request, reply) =>
        answerNewVersion(changes, request, reply, 200, (tx, caller) =>
          versions.restore(tx, caller, request.params.rule_id, request.params.version),
        ),
    );
  };
}
