import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";
import Type, { type TSchema } from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { splitSeveral } from "../../foundation/lists/several.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import type { Alert } from "./alert.ts";
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
const AlertOrPreview = Type.Union([AlertBody, PreviewOf(AlertBody)]);

export function alertsRoutes(
  alerts: AlertsService,
  undoable: UndoableChanges,
  changes: ChangesService,
  caseBody: TSchema,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/alerts",
      {
        config: reading,
        preValidation: splitSeveral(SEVERAL_FILTERS),
        schema: {
          operationId: "listAlerts",
          summary: "List alerts",
          querystring: ListAlertsQuery,
          response: { 200: AlertsPage },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        return alerts.list(toScope(caller), request.query, caller);
      },
    );
    app.post(
      "/alerts",
      {
        config: finding,
        schema: {
          operationId: "createAlert",
          summary: "Create an alert",
          body: CreateAlertRequest,
          response: { 200: AlertOrPreview, 201: AlertBody },
        },
      },
      async (request, reply) => {
        const { dry_run, result } = await alerts.inTurn(request.body, () =>
          changes.run(request, (tx, caller) => alerts.report(tx, caller, request.body)),
        );
        return answerAlert(reply, result.isNew ? 201 : 200, { dry_run, result: result.alert });
      },
    );
    app.get(
      "/alerts/:alert_id",
      {
        config: reading,
        schema: { operationId: "getAlert", summary: "Get an alert", params: AlertParams, response: { 200: AlertBody } },
      },
      async (request, reply) => {
        const alert = await alerts.get(toScope(callerOf(request)), request.params.alert_id);
        reply.header("etag", etagOf(alert));
        return alert;
      },
    );
    app.patch(
      "/alerts/:alert_id",
      {
        config: change,
        schema: {
          operationId: "updateAlert",
          summary: "Update an alert",
          params: AlertParams,
          body: UpdateAlertRequest,
          response: { 200: AlertOrPreview },
        },
      },
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
        return answerAlert(reply, 200, updated);
      },
    );
    app.post(
      "/alerts/:alert_id/promote",
      {
        config: caseChange,
        schema: {
          operationId: "promoteAlert",
          summary: "Create a case from an alert",
          params: AlertParams,
          body: PromoteBody,
          response: { 200: PreviewOf(caseBody), 201: caseBody },
        },
      },
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
      {
        config: caseChange,
        schema: {
          operationId: "linkAlertToCase",
          summary: "Link an alert to a case",
          params: AlertParams,
          body: CaseLinkRequest,
          response: { 200: AlertOrPreview },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const linked = await changes.run(request, (tx, caller) =>
          alerts.linkToCase(tx, caller, params.alert_id, body.case_id),
        );
        return answerAlert(reply, 200, linked);
      },
    );
    app.get(
      "/alerts/:alert_id/context",
      {
        config: reading,
        schema: {
          operationId: "getAlertContext",
          summary: "Get related alerts",
          params: AlertParams,
          response: { 200: AlertContextBody },
        },
      },
      async (request) => alerts.context(toScope(callerOf(request)), request.params.alert_id),
    );
  };
}

/** Adds the version as ETag, for If-Match; a preview has none. */
function answerAlert(reply: FastifyReply, status: 200 | 201, outcome: Outcome<Alert>) {
  if (!outcome.dry_run) reply.header("etag", etagOf(outcome.result));
  return answer(reply, status, outcome);
}
