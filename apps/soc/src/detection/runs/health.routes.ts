import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf } from "../../foundation/lists/lists.schema.ts";
import { RuleParams } from "../rules/rules.schema.ts";
import { HistoryQuery, ListHealthQuery, RuleHealthBody } from "./health.schema.ts";
import type { HealthService } from "./health.service.ts";

const reading = { needs: ["detections:read"], byKey: true } as const;

export function healthRoutes(health: HealthService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/detections/health",
      {
        config: reading,
        schema: {
          operationId: "listRuleHealth",
          summary: "List the health of rules",
          querystring: ListHealthQuery,
          response: { 200: PageOf(RuleHealthBody) },
        },
      },
      async (request) => health.list(callerOf(request), request.query),
    );

    app.get(
      "/detections/rules/:rule_id/health",
      {
        config: reading,
        schema: {
          operationId: "getRuleHealth",
          summary: "Get the health of a detection rule",
          params: RuleParams,
          querystring: HistoryQuery,
          response: { 200: RuleHealthBody },
        },
      },
      async (request) => health.get(callerOf(request), request.params.rule_id, request.query),
    );
  };
}
