import type { TSchema } from "typebox";
import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import { parseMultiValueParams } from "../../foundation/lists/multi-value-params.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerNewVersion, answerVersion, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { SEVERAL_FILTERS } from "./alert-filters.ts";
import {
  AlertBody,
  AlertContextBody,
  AlertParams,
  AlertsPage,
  CaseLinkRequest,
  CreateAlertRequest,
  ListAlertsQuery,
  PromoteBody,
  UpdateAlertRequest,
} from "./alerts.schema.ts";
import type { AlertsService, UndoableChanges } from "./alerts.service.ts";

const reading = { needs: ["alerts:read"], byKey: true, bySite: "records" } as const;
const finding = { needs: ["alerts:write"], effect: "finding", byKey: true, bySite: "records" } as const;
const change = { needs: ["alerts:write"], effect: "change", byKey: true, bySite: "records" } as const;
const caseChange = {
  needs: ["alerts:write", "cases:write"],
  effect: "change",
  byKey: true,
  bySite: "records",
} as const;
const AlertOrPreview = WithPreviewOf(AlertBody);

export function alertsRoutes(
  alerts: AlertsService,
  undoable: UndoableChanges,
  changes: ChangesService,
  caseBody: TSchema,
): Routes {
  return async (app) => {
    app.get(
      "/alerts",
      {
        ...operation("listAlerts", "List alerts", reading, {
          querystring: ListAlertsQuery,
          response: { 200: AlertsPage },
        }),
        preValidation: parseMultiValueParams(SEVERAL_FILTERS),
      },
      async (request) => {
        const caller = callerOf(request);
        return alerts.list(toScope(caller), request.query, caller);
      },
    );
    app.post(
      "/alerts",
      operation("createAlert", "Create an alert", finding, {
        description: "Answers the earlier alert if one has the same fingerprint.",
        body: CreateAlertRequest,
        response: { 200: AlertOrPreview, 201: AlertBody },
      }),
      async (request, reply) => {
        const { dry_run, result } = await alerts.inTurn(request.body, () =>
          changes.run(request, (tx, caller) => alerts.report(tx, caller, request.body)),
        );
        return answerVersion(reply, result.isNew ? 201 : 200, { dry_run, result: result.alert });
      },
    );
    app.get(
      "/alerts/:alert_id",
      operation("getAlert", "Get an alert", reading, { params: AlertParams, response: { 200: AlertBody } }),
      async (request, reply) => {
        const alert = await alerts.get(toScope(callerOf(request)), request.params.alert_id);
        reply.header("etag", etagOf(alert));
        return alert;
      },
    );
    app.patch(
      "/alerts/:alert_id",
      operation("updateAlert", "Update an alert", change, {
        params: AlertParams,
        body: UpdateAlertRequest,
        response: { 200: AlertOrPreview },
      }),
      async (request, reply) => {
        const { params, body, headers } = request;
        let change_id = "";
        const updated = await changes.run(request, async (tx, caller) => {
          const update = () => alerts.update(tx, caller, params.alert_id, body, headers["if-match"]);
          const made = await undoable.remember(tx, caller, params.alert_id, update);
          change_id = made.change_id;
          return made.alert;
        });
        if (!updated.dry_run) reply.header("x-change-id", change_id);
        return answerVersion(reply, 200, updated);
      },
    );
    app.post(
      "/alerts/:alert_id/promote",
      operation("promoteAlert", "Create a case from an alert", caseChange, {
        description: "Answers 201 with the new case, to which the alert is linked.",
        params: AlertParams,
        body: PromoteBody,
        response: { 200: PreviewOf(caseBody), 201: caseBody },
      }),
      async (request, reply) => {
        const { params, body } = request;
        return answer(
          reply,
          201,
          await changes.run(request, (tx, caller) => alerts.promote(tx, caller, params.alert_id, body ?? {})),
        );
      },
    );
    app.post(
      "/alerts/:alert_id/case-link",
      operation("linkAlertToCase", "Link an alert to a case", caseChange, {
        params: AlertParams,
        body: CaseLinkRequest,
        response: { 200: AlertOrPreview },
      }),
      (request, reply) =>
        answerNewVersion(changes, request, reply, 200, (tx, caller) =>
          alerts.linkToCase(tx, caller, request.params.alert_id, request.body.case_id),
        ),
    );
    app.get(
      "/alerts/:alert_id/context",
      operation("getAlertContext", "Get related alerts", reading, {
        description: "Alerts of 24 hours around that share a host, a user or an IOC.",
        params: AlertParams,
        response: { 200: AlertContextBody },
      }),
      async (request) => alerts.context(toScope(callerOf(request)), request.params.alert_id),
    );
  };
}
