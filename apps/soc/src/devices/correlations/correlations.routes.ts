import { CaseBody } from "../../cases/cases/cases.schema.ts";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { CorrelationBody, CorrelationPath, CorrelationsPage, ListCorrelationsQuery } from "./correlations.schema.ts";
import type { CorrelationsService } from "./correlations.service.ts";

const reading = { needs: ["cps:read"], byKey: true } as const;

export function correlationsRoutes(correlations: CorrelationsService, changes: Pick<ChangesService, "run">): Routes {
  return async (app) => {
    app.get(
      "/correlations",
      operation("listCorrelations", "List correlations", reading, {
        querystring: ListCorrelationsQuery,
        response: { 200: CorrelationsPage },
      }),
      async ({ query }) => correlations.list(query),
    );

    app.get(
      "/correlations/:id",
      operation("getCorrelation", "Get a correlation", reading, {
        params: CorrelationPath,
        response: { 200: CorrelationBody },
      }),
      async ({ params }) => correlations.get(params.id),
    );

    app.post(
      "/correlations/:id/case",
      operation(
        "openCorrelationCase",
        "Open a case for a correlation",
        { needs: ["cps:read", "cases:write"], effect: "change", byKey: true },
        {
          description:
            "Answers the oldest open case of its alerts, or a new case, with those of its alerts that had none. 409 when it has a case, or has neither such a case nor such an alert.",
          params: CorrelationPath,
          response: { 200: PreviewOf(CaseBody), 201: CaseBody },
        },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 201, (tx, caller) =>
          correlations.openCase(tx, caller, request.params.id),
        ),
    );
  };
}
