import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { abortOnDisconnect } from "../../logs/module.ts";
import { RuleParams } from "../rules/rules.schema.ts";
import { ListRunsQuery, PreviewRuleRequest, RulePreviewBody, RuleRunBody, RunBody } from "./runs.schema.ts";
import { type RunsService, shownRun } from "./runs.service.ts";

const reading = { needs: ["detections:read"], byKey: true } as const;
const searching = { needs: ["detections:read", "siem:search"], effect: "none", logLane: "previews" } as const;
const running = { needs: ["detections:read", "siem:search"], effect: "change", logLane: "previews" } as const;

export function runsRoutes(runs: RunsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/detections/rules/:rule_id/run",
      {
        config: running,
        schema: {
          operationId: "runRule",
          summary: "Run a detection rule",
          params: RuleParams,
          response: { 200: Type.Union([RuleRunBody, PreviewOf(RuleRunBody)]) },
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        const prepared = await runs.prepare(caller, request.params.rule_id, abortOnDisconnect(reply));
        const outcome = await runs.retryWhileBusy(() => changes.run(request, (tx) => runs.run(tx, caller, prepared)));
        return answer(reply, 200, shownRun(outcome));
      },
    );

    app.get(
      "/detections/rules/:rule_id/runs",
      {
        config: reading,
        schema: {
          operationId: "listRuleRuns",
          summary: "List the runs of a detection rule",
          params: RuleParams,
          querystring: ListRunsQuery,
          response: { 200: PageOf(RunBody) },
        },
      },
      async (request) => runs.list(callerOf(request), request.params.rule_id, request.query),
    );

    app.post(
      "/detections/rules/preview",
      {
        config: searching,
        schema: {
          operationId: "previewRule",
          summary: "Preview a new detection rule",
          body: PreviewRuleRequest,
          response: { 200: RulePreviewBody },
        },
      },
      async (request, reply) => runs.previewNew(callerOf(request), request.body, abortOnDisconnect(reply)),
    );

    app.post(
      "/detections/rules/:rule_id/preview",
      {
        config: searching,
        schema: {
          operationId: "previewRuleChange",
          summary: "Preview a change of a detection rule",
          params: RuleParams,
          body: PreviewRuleRequest,
          response: { 200: RulePreviewBody },
        },
      },
      async (request, reply) =>
        runs.previewChanged(callerOf(request), request.params.rule_id, request.body, abortOnDisconnect(reply)),
    );
  };
}
