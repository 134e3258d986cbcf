import { WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
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
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          alerts.linkManyToCase(tx, caller, request.params.case_id, request.body.alert_ids),
        ),
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
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          alerts.unlinkFromCase(tx, caller, request.params.case_id, request.params.alert_id),
        ),
    );
  };
}
