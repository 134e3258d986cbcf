import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { SoarRulePath, SoarRulesPage, ToggledRuleBody } from "./soar-rules.schema.ts";
import type { SoarRulesService } from "./soar-rules.service.ts";

export function soarRulesRoutes(rules: SoarRulesService): Routes {
  return async (app) => {
    app.get(
      "/soar/rules",
      operation(
        "listSoarRules",
        "List SOAR demo rules",
        { needs: ["soar:read"] },
        { description: "Empty unless the mode is `dummy`.", querystring: PageQuery, response: { 200: SoarRulesPage } },
      ),
      async ({ query }) => rules.list(query),
    );

    app.post(
      "/soar/rules/:id/toggle",

      // No mode needs to block the route, because it stores nothing.
      operation(
        "toggleSoarRule",
        "Enable or disable a SOAR demo rule",
        { needs: ["soar:manage"], effect: "none" },
        {
          description: "503 unless the mode is `dummy`; there the flipped rule has `persisted: false`.",
          params: SoarRulePath,
          response: { 200: ToggledRuleBody },
        },
      ),
      async ({ params }) => rules.toggle(params.id),
    );
  };
}
