import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
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

export function suppressionsRoutes(
  suppressions: SuppressionsService,
  changes: ChangesService,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/detections/rules/:rule_id/suppressions",
      {
        config: reading,
        schema: {
          operationId: "listRuleSuppressions",
          summary: "List the suppressions of a detection rule",
          params: RuleParams,
          querystring: ListSuppressionsQuery,
          response: { 200: PageOf(SuppressionBody) },
        },
      },
      async (request) => suppressions.list(callerOf(request), request.params.rule_id, request.query),
    );

    app.post(
      "/detections/rules/:rule_id/suppressions",
      {
        config: change,
        schema: {
          operationId: "createSuppression",
          summary: "Create a suppression",
          params: RuleParams,
          body: CreateSuppressionRequest,
          response: { 200: PreviewOf(SuppressionBody), 201: SuppressionBody },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const created = await changes.run(request, (tx, caller) =>
          suppressions.create(tx, caller, params.rule_id, body),
        );
        return answer(reply, 201, created);
      },
    );

    app.get(
      "/detections/suppressions",
      {
        config: reading,
        schema: {
          operationId: "listSuppressions",
          summary: "List suppressions",
          querystring: ListAllSuppressionsQuery,
          response: { 200: PageOf(SuppressionBody) },
        },
      },
      async (request) => suppressions.listAll(callerOf(request), request.query),
    );

    app.patch(
      "/detections/suppressions/:suppression_id",
      {
        config: change,
        schema: {
          operationId: "updateSuppression",
          summary: "Update a suppression",
          params: SuppressionParams,
          body: UpdateSuppressionRequest,
          response: { 200: Type.Union([SuppressionBody, PreviewOf(SuppressionBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const updated = await changes.run(request, (tx, caller) =>
          suppressions.update(tx, caller, params.suppression_id, body),
        );
        return answer(reply, 200, updated);
      },
    );

    app.delete(
      "/detections/suppressions/:suppression_id",
      {
        config: change,
        schema: {
          operationId: "deleteSuppression",
          summary: "End a suppression",
          params: SuppressionParams,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const ended = await changes.run(request, (tx, caller) =>
          suppressions.end(tx, caller, request.params.suppression_id),
        );
        return answer(reply, 200, ended);
      },
    );

    app.post(
      "/detections/rules/:rule_id/suppressions/preview",
      {
        config: searching,
        schema: {
          operationId: "previewSuppression",
          summary: "Preview a suppression",
          params: RuleParams,
          body: PreviewSuppressionRequest,
          response: { 200: SuppressionPreviewBody },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        return suppressions.preview(callerOf(request), params.rule_id, body, abortOnDisconnect(reply));
      },
    );
  };
}
