import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { CaseBody } from "../../cases/cases/cases.schema.ts";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { CorrelationBody, CorrelationPath, CorrelationsPage, ListCorrelationsQuery } from "./correlations.schema.ts";
import type { CorrelationsService } from "./correlations.service.ts";

const reading = { needs: ["cps:read"], byKey: true } as const;

export function correlationsRoutes(
  correlations: CorrelationsService,
  changes: Pick<ChangesService, "run">,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/correlations",
      {
        config: reading,
        schema: {
          operationId: "listCorrelations",
          summary: "List correlations",
          querystring: ListCorrelationsQuery,
          response: { 200: CorrelationsPage },
        },
      },
      async ({ query }) => correlations.list(query),
    );

    app.get(
      "/correlations/:id",
      {
        config: reading,
        schema: {
          operationId: "getCorrelation",
          summary: "Get a correlation",
          params: CorrelationPath,
          response: { 200: CorrelationBody },
        },
      },
      async ({ params }) => correlations.get(params.id),
    );

    app.post(
      "/correlations/:id/case",
      {
        config: { needs: ["cps:read", "cases:write"], effect: "change", byKey: true },
        schema: {
          operationId: "openCorrelationCase",
          summary: "Open a case for a correlation",
          params: CorrelationPath,
          response: { 200: PreviewOf(CaseBody), 201: CaseBody },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const opened = await changes.run(request, (tx, caller) => correlations.openCase(tx, caller, id));
        return answer(reply, 201, opened);
      },
    );
  };
}
