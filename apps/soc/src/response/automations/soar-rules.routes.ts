import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { SoarRulePath, SoarRulesPage, ToggledRuleBody } from "./soar-rules.schema.ts";
import type { SoarRulesService } from "./soar-rules.service.ts";

export function soarRulesRoutes(rules: SoarRulesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/soar/rules",
      {
        config: { needs: ["soar:read"] },
        schema: {
          operationId: "listSoarRules",
          summary: "List SOAR demo rules",
          querystring: PageQuery,
          response: { 200: SoarRulesPage },
        },
      },
      async ({ query }) => rules.list(query),
    );

    app.post(
      "/soar/rules/:id/toggle",
      {
        // It stores nothing, so no mode needs to block it.
        config: { needs: ["soar:manage"], effect: "none" },
        schema: {
          operationId: "toggleSoarRule",
          summary: "Enable or disable a SOAR demo rule",
          params: SoarRulePath,
          response: { 200: ToggledRuleBody },
        },
      },
      async ({ params }) => rules.toggle(params.id),
    );
  };
}
