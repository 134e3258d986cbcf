import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf } from "../../foundation/lists/lists.schema.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { RuleParams } from "../rules/rules.schema.ts";
import { HistoryQuery, ListHealthQuery, RuleHealthBody } from "./health.schema.ts";
import type { HealthService } from "./health.service.ts";

const reading = { needs: ["detections:read"], byKey: true } as const;

export function healthRoutes(health: HealthService): Routes {
  return async (app) => {
    app.get(
      "/detections/health",
      operation("listRuleHealth", "List the health of rules", reading, {
        querystring: ListHealthQuery,
        response: { 200: PageOf(RuleHealthBody) },
      }),
      async (request) => health.list(callerOf(request), request.query),
    );

    app.get(
      "/detections/rules/:rule_id/health",
      operation("getRuleHealth", "Get the health of a detection rule", reading, {
        description:
          "In seconds: `total_s` is the sum of `ran_s`, `late_s`, `skipped_s`, `capped_s` and `silent_s`. With `from` (at most 168 hours) also `hours`; earlier hours than `history_from` are unknown and left out.",
        params: RuleParams,
        querystring: HistoryQuery,
        response: { 200: RuleHealthBody },
      }),
      async (request) => health.get(callerOf(request), request.params.rule_id, request.query),
    );
  };
}
