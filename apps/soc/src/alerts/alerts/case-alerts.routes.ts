import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { AlertBody, CaseAlertParams, CaseAlertsParams, LinkAlertsRequest, LinkedAlertsBody } from "./alerts.schema.ts";
import type { AlertsService } from "./alerts.service.ts";

const needs = ["alerts:write", "cases:write"] as const;

/** The alerts of a case. */
export function caseAlertsRoutes(alerts: AlertsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/cases/:case_id/alerts",
      {
        config: { needs, effect: "change", byKey: true, bySite: "records" },
        schema: {
          operationId: "linkAlertsToCase",
          summary: "Link alerts to a case",
          params: CaseAlertsParams,
          body: LinkAlertsRequest,
          response: { 200: Type.Union([LinkedAlertsBody, PreviewOf(LinkedAlertsBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const linked = await changes.run(request, (tx, caller) =>
          alerts.linkManyToCase(tx, caller, params.case_id, body.alert_ids),
        );
        return answer(reply, 200, linked);
      },
    );
    app.delete(
      "/cases/:case_id/alerts/:alert_id",
      {
        // A key may not delete in cases.
        config: { needs, effect: "change", bySite: "records" },
        schema: {
          operationId: "unlinkAlertFromCase",
          summary: "Unlink an alert from a case",
          params: CaseAlertParams,
          response: { 200: Type.Union([AlertBody, PreviewOf(AlertBody)]) },
        },
      },
      async (request, reply) => {
        const { case_id, alert_id } = request.params;
        const unlinked = await changes.run(request, (tx, caller) =>
          alerts.unlinkFromCase(tx, caller, case_id, alert_id),
        );
        return answer(reply, 200, unlinked);
      },
    );
  };
}
