import { Readable } from "node:stream";
import Type from "typebox";
import { callerOf } from "../foundation/caller/caller.ts";
import { Deleted, PageOf, PageQuery, PreviewOf, WithPreviewOf } from "../foundation/lists/lists.schema.ts";
import { etagOf } from "../foundation/records/if-match.ts";
import type { ChangesService } from "../foundation/runtime/changes.service.ts";
import {
  answer,
  answerChange,
  answerNewVersion,
  answerVersion,
  operation,
  type Routes,
} from "../foundation/runtime/operation.ts";
import type { SigmaImportService } from "./imports/sigma-import.service.ts";
import { ListMatchesQuery, MatchBody } from "./matches/matches.schema.ts";
import type { MatchesListService } from "./matches/matches-list.service.ts";
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

export function rulesRoutes({ rules, imports, matches, metrics, changes }: RulesRoutesDeps): Routes {
  return async (app) => {
    app.get(
      "/detections/rules",
      operation("listRules", "List detection rules", reading, {
        querystring: ListRulesQuery,
        response: { 200: PageOf(RuleBody) },
      }),
      async (request) => rules.list(callerOf(request), request.query),
    );

    app.get(
      "/detections/rules/export",
      operation(
        "exportRules",
        "Export detection rules",
        { ...reading, exports: "rule.exported" },
        {
          description:
            "A stream of YAML documents in the order of ids. The import takes them back without a difference.",
          querystring: RuleFilters,
        },
      ),
      async (request, reply) => {
        const documents = await rules.exportDocuments(callerOf(request), request.query);
        return reply.type("application/yaml; charset=utf-8").send(Readable.from(documents));
      },
    );

    app.post(
      "/detections/rules",
      operation("createRule", "Create a detection rule", change, {
        body: CreateRuleRequest,
        response: { 200: PreviewOf(RuleBody), 201: RuleBody },
      }),
      async (request, reply) => {
        return answerVersion(
          reply,
          201,
          await changes.run(request, (tx, caller) => rules.create(tx, caller, request.body)),
        );
      },
    );

    app.get(
      "/detections/rules/:rule_id",
      operation("getRule", "Get a detection rule", reading, { params: RuleParams, response: { 200: RuleBody } }),
      async (request, reply) => {
        const rule = await rules.get(callerOf(request), request.params.rule_id);
        reply.header("etag", etagOf(rule));
        return rule;
      },
    );

    app.patch(
      "/detections/rules/:rule_id",
      operation("updateRule", "Update a detection rule", change, {
        description: "Creates a new version.",
        params: RuleParams,
        body: UpdateRuleRequest,
        response: { 200: WithPreviewOf(RuleBody) },
      }),
      (request, reply) =>
        answerNewVersion(changes, request, reply, 200, (tx, caller) =>
          rules.update(tx, caller, request.params.rule_id, request.body, request.headers["if-match"]),
        ),
    );

    app.delete(
      "/detections/rules/:rule_id",
      operation(
        "deleteRule",
        "Delete a detection rule",
        { ...change, stepUp: true },
        {
          description: "Its alerts and matches stay.",
          params: RuleParams,
          response: { 200: WithPreviewOf(Deleted) },
        },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          rules.remove(tx, caller, request.params.rule_id, request.headers["if-match"]),
        ),
    );

    app.get(
      "/detections/rules/:rule_id/source",
      operation("getRuleSource", "Get a detection rule as YAML", reading, {
        description: "The Sigma rule as it was imported, or the fields of a rule that was created here.",
        params: RuleParams,
        response: { 200: Type.String() },
      }),
      async (request, reply) => {
        const yaml = await rules.source(callerOf(request), request.params.rule_id);
        return reply.type("application/yaml; charset=utf-8").send(yaml);
      },
    );

    app.get(
      "/detections/rules/:rule_id/versions",
      operation("listRuleVersions", "List the versions of a detection rule", reading, {
        params: RuleParams,
        querystring: PageQuery,
        response: { 200: PageOf(RuleVersionBody) },
      }),
      async (request) => rules.versions(callerOf(request), request.params.rule_id, request.query),
    );

    app.get(
      "/detections/rules/:rule_id/matches",
      operation("listRuleMatches", "List the matches of a detection rule", reading, {
        params: RuleParams,
        querystring: ListMatchesQuery,
        response: { 200: PageOf(MatchBody) },
      }),
      async (request) => matches.list(callerOf(request), request.params.rule_id, request.query),
    );

    app.post(
      "/detections/rules/import",

      // A service account pushes rules as code.
      operation(
        "importRules",
        "Import detection rules",
        { ...change, byKey: true },
        {
          description:
            "Takes Sigma rules, correlations and documents of the export; at most 1,000 documents and 1 MiB. 400 with the reasons when none can be read.",
          body: ImportRulesRequest,
          response: { 200: PreviewOf(ImportedRulesBody), 201: ImportedRulesBody },
        },
      ),
      async (request, reply) => {
        const prepared = await imports.prepare(request.body);
        const imported = await changes.run(request, (tx, caller) => imports.importRules(tx, caller, prepared));
        return answer(reply, 201, imported);
      },
    );

    app.get(
      "/detections/metrics",
      operation("getDetectionMetrics", "Get detection metrics", reading, { response: { 200: DetectionMetricsBody } }),
      async (request) => metrics.read(callerOf(request)),
    );
  };
}
