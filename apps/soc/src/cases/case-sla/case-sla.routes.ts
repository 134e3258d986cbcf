import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { SlaSettings } from "./case-sla.schema.ts";
import type { CaseSlaService } from "./case-sla.service.ts";

export function caseSlaRoutes(sla: CaseSlaService, changes: Pick<ChangesService, "run">): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/case-sla",
      {
        config: { needs: ["cases:read"] },
        schema: { operationId: "getCaseSla", summary: "Get the case SLA targets", response: { 200: SlaSettings } },
      },
      async () => sla.read(),
    );
    app.put(
      "/case-sla",
      {
        config: { needs: ["cases:manage"], effect: "change" },
        schema: {
          operationId: "replaceCaseSla",
          summary: "Replace the case SLA targets",
          body: SlaSettings,
          response: { 200: Type.Union([SlaSettings, PreviewOf(SlaSettings)]) },
        },
      },
      async (request, reply) => {
        const replaced = await changes.run(request, (tx, caller) => sla.replace(tx, caller, request.body));
        return answer(reply, 200, replaced);
      },
    );
  };
}
