import { WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { AlertBody, CaseAlertParams, CaseAlertsParams, LinkAlertsRequest, LinkedAlertsBody } from "./alerts.schema.ts";
import type { AlertsService } from "./alerts.service.ts";

const needs = ["alerts:write", "cases:write"] as const;

/** Registers the routes for the alerts of a case. */
export function caseAlertsRoutes(alerts: AlertsService, changes: ChangesService): Routes {
  return async (app) => {
    app.post(
      "/cases/:case_id/alerts",
      operation(
        "linkAlertsToCase",
        "Link alerts to a case",
        { needs, effect: "change", byKey: true, bySite: "records" },
        {
          description: "`moved` are those that were in another case.",
          params: CaseAlertsParams,
          body: LinkAlertsRequest,
          response: { 200: WithPreviewOf(LinkedAlertsBody) },
        },
      ),
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

      // An API key must not delete anything in cases.
      operation(
        "unlinkAlertFromCase",
        "Unlink an alert from a case",
        { needs, effect: "change", bySite: "records" },
        {
          description: "The alert is `triaged` again.",
          params: CaseAlertParams,
          response: { 200: WithPreviewOf(AlertBody) },
        },
      ),
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
