import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../foundation/caller/caller.ts";
import { Deleted, PageOf, PageQuery, PreviewOf } from "../foundation/lists/lists.schema.ts";
import { etagOf } from "../foundation/records/if-match.ts";
import { answer } from "../foundation/runtime/answer.ts";
import type { ChangesService } from "../foundation/runtime/changes.service.ts";
import type { SigmaImportService } from "./imports/sigma-import.service.ts";
import { ListMatchesQuery, MatchBody } from "./matches/matches.schema.ts";
import type { MatchesListService } from "./matches/matches-list.service.ts";
import { answerRule } from "./rules/answer-rule.ts";
import {
  CreateRuleRequest,
  ImportedRulesBody,
  ImportRulesRequest,
  ListRulesQuery,
  RuleBody,
  RuleFilters,
  RuleParams,
  RuleVersionBody,
  UpdateRuleRequest,
} from "./rules/rules.schema.ts";
import type { RulesService } from "./rules/rules.service.ts";
import { DetectionMetricsBody } from "./runs/metrics.schema.ts";
import type { MetricsService } from "./runs/metrics.service.ts";

export interface RulesRoutesDeps {
  rules: RulesService;
  imports: SigmaImportService;
  matches: MatchesListService;
  metrics: MetricsService;
  changes: ChangesService;
}

const reading = { needs: ["detections:read"], byKey: true } as const;
const change = { needs: ["detections:write"], effect: "change" } as const;

export function rulesRoutes({ rules, imports, matches, metrics, changes }: RulesRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/detections/rules",
      {
        config: reading,
        schema: {
          operationId: "listRules",
          summary: "List detection rules",
          querystring: ListRulesQuery,
          response: { 200: PageOf(RuleBody) },
        },
      },
      async (request) => rules.list(callerOf(request), request.query),
    );

    app.get(
      "/detections/rules/export",
      {
        config: { ...reading, exports: "rule.exported" },
        schema: { operationId: "exportRules", summary: "Export detection rules", querystring: RuleFilters },
      },
      async (request, reply) => {
        const documents = await rules.exportDocuments(callerOf(request), request.query);
        return reply.type("application/yaml; charset=utf-8").send(Readable.from(documents));
      },
    );

    app.post(
      "/detections/rules",
      {
        config: change,
        schema: {
          operationId: "createRule",
          summary: "Create a detection rule",
          body: CreateRuleRequest,
          response: { 200: PreviewOf(RuleBody), 201: RuleBody },
        },
      },
      async (request, reply) => {
        return answerRule(
          reply,
          201,
          await changes.run(request, (tx, caller) => rules.create(tx, caller, request.body)),
        );
      },
    );

    app.get(
      "/detections/rules/:rule_id",
      {
        config: reading,
        schema: {
          operationId: "getRule",
          summary: "Get a detection rule",
          params: RuleParams,
          response: { 200: RuleBody },
        },
      },
      async (request, reply) => {
        const rule = await rules.get(callerOf(request), request.params.rule_id);
        reply.header("etag", etagOf(rule));
        return rule;
      },
    );

    app.patch(
      "/detections/rules/:rule_id",
      {
        config: change,
        schema: {
          operationId: "updateRule",
          summary: "Update a detection rule",
          params: RuleParams,
          body: UpdateRuleRequest,
          response: { 200: Type.Union([RuleBody, PreviewOf(RuleBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body, headers } = request;
        const updated = await changes.run(request, (tx, caller) =>
          rules.update(tx, caller, params.rule_id, body, headers["if-match"]),
        );
        return answerRule(reply, 200, updated);
      },
    );

    app.delete(
      "/detections/rules/:rule_id",
      {
        config: change,
        schema: {
          operationId: "deleteRule",
          summary: "Delete a detection rule",
          params: RuleParams,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const { params, headers } = request;
        const deleted = await changes.run(request, (tx, caller) =>
          rules.remove(tx, caller, params.rule_id, headers["if-match"]),
        );
        return answer(reply, 200, deleted);
      },
    );

    app.get(
      "/detections/rules/:rule_id/source",
      {
        config: reading,
        schema: {
          operationId: "getRuleSource",
          summary: "Get a detection rule as YAML",
          params: RuleParams,
          response: { 200: Type.String() },
        },
      },
      async (request, reply) => {
        const yaml = await rules.source(callerOf(request), request.params.rule_id);
        return reply.type("application/yaml; charset=utf-8").send(yaml);
      },
    );

    app.get(
      "/detections/rules/:rule_id/versions",
      {
        config: reading,
        schema: {
          operationId: "listRuleVersions",
          summary: "List the versions of a detection rule",
          params: RuleParams,
          querystring: PageQuery,
          response: { 200: PageOf(RuleVersionBody) },
        },
      },
      async (request) => rules.versions(callerOf(request), request.params.rule_id, request.query),
    );

    app.get(
      "/detections/rules/:rule_id/matches",
      {
        config: reading,
        schema: {
          operationId: "listRuleMatches",
          summary: "List the matches of a detection rule",
          params: RuleParams,
          querystring: ListMatchesQuery,
          response: { 200: PageOf(MatchBody) },
        },
      },
      async (request) => matches.list(callerOf(request), request.params.rule_id, request.query),
    );

    app.post(
      "/detections/rules/import",
      {
        // Rules as code are pushed by a service account.
        config: { ...change, byKey: true },
        schema: {
          operationId: "importRules",
          summary: "Import detection rules",
          body: ImportRulesRequest,
          response: { 200: PreviewOf(ImportedRulesBody), 201: ImportedRulesBody },
        },
      },
      async (request, reply) => {
        const prepared = await imports.prepare(request.body);
        const imported = await changes.run(request, (tx, caller) => imports.importRules(tx, caller, prepared));
        return answer(reply, 201, imported);
      },
    );

    app.get(
      "/detections/metrics",
      {
        config: reading,
        schema: {
          operationId: "getDetectionMetrics",
          summary: "Get detection metrics",
          response: { 200: DetectionMetricsBody },
        },
      },
      async (request) => metrics.read(callerOf(request)),
    );
  };
}
