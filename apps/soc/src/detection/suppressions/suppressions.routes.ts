import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { abortOnDisconnect } from "../../logs/module.ts";
import { RuleParams } from "../rules/rules.schema.ts";
import {
  CreateSuppressionRequest,
  ListAllSuppressionsQuery,
  ListSuppressionsQuery,
  PreviewSuppressionRequest,
  SuppressionBody,
  SuppressionParams,
  SuppressionPreviewBody,
  UpdateSuppressionRequest,
} from "./suppressions.schema.ts";
import type { SuppressionsService } from "./suppressions.service.ts";

const reading = { needs: ["detections:read"], byKey: true } as const;
const change = { needs: ["detections:write"], effect: "change" } as const;
const searching = { needs: ["detections:read", "siem:search"], effect: "none", logLane: "previews" } as const;

export function suppressionsRoutes(suppressions: SuppressionsService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/detections/rules/:rule_id/suppressions",
      operation("listRuleSuppressions", "List the suppressions of a detection rule", reading, {
        params: RuleParams,
        querystring: ListSuppressionsQuery,
        response: { 200: PageOf(SuppressionBody) },
      }),
      async (request) => suppressions.list(callerOf(request), request.params.rule_id, request.query),
    );

    app.post(
      "/detections/rules/:rule_id/suppressions",
      operation("createSuppression", "Create a suppression", change, {
        params: RuleParams,
        body: CreateSuppressionRequest,
        response: { 200: PreviewOf(SuppressionBody), 201: SuppressionBody },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 201, (tx, caller) =>
          suppressions.create(tx, caller, request.params.rule_id, request.body),
        ),
    );

    app.get(
      "/detections/suppressions",
      operation("listSuppressions", "List suppressions", reading, {
        querystring: ListAllSuppressionsQuery,
        response: { 200: PageOf(SuppressionBody) },
      }),
      async (request) => suppressions.listAll(callerOf(request), request.query),
    );

    app.patch(
      "/detections/suppressions/:suppression_id",
      operation("updateSuppression", "Update a suppression", change, {
        description: "`suppress_for_hours` can only become shorter.",
        params: SuppressionParams,
        body: UpdateSuppressionRequest,
        response: { 200: WithPreviewOf(SuppressionBody) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          suppressions.update(tx, caller, request.params.suppression_id, request.body),
        ),
    );

    app.delete(
      "/detections/suppressions/:suppression_id",
      operation("deleteSuppression", "End a suppression", change, {
        description: "It ends now and stays in the lists. 409 when it has ended.",
        params: SuppressionParams,
        response: { 200: WithPreviewOf(Deleted) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          suppressions.end(tx, caller, request.params.suppression_id),
        ),
    );

    app.post(
      "/detections/rules/:rule_id/suppressions/preview",
      operation("previewSuppression", "Preview a suppression", searching, {
        description: "Counts what exceptions leave; `excepted_count` are logs that exceptions hide already.",
        params: RuleParams,
        body: PreviewSuppressionRequest,
        response: { 200: SuppressionPreviewBody },
      }),
      async (request, reply) => {
        const { params, body } = request;
        return suppressions.preview(callerOf(request), params.rule_id, body, abortOnDisconnect(reply));
      },
    );
  };
}
