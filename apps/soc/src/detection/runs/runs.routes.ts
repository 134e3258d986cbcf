import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { abortOnDisconnect } from "../../logs/module.ts";
import { RuleParams } from "../rules/rules.schema.ts";
import { ListRunsQuery, PreviewRuleRequest, RulePreviewBody, RuleRunBody, RunBody } from "./runs.schema.ts";
import { type RunsService, shownRun } from "./runs.service.ts";

const reading = { needs: ["detections:read"], byKey: true } as const;
const searching = { needs: ["detections:read", "siem:search"], effect: "none", logLane: "previews" } as const;
const running = { needs: ["detections:read", "siem:search"], effect: "change", logLane: "previews" } as const;

export function runsRoutes(runs: RunsService, changes: ChangesService): Routes {
  return async (app) => {
    app.post(
      "/detections/rules/:rule_id/run",
      operation("runRule", "Run a detection rule", running, {
        description: "Answers the newest 50 logs that are not suppressed.",
        params: RuleParams,
        response: { 200: WithPreviewOf(RuleRunBody) },
      }),
      async (request, reply) => {
        const caller = callerOf(request);
        const prepared = await runs.prepare(caller, request.params.rule_id, abortOnDisconnect(reply));
        const outcome = await runs.retryWhileBusy(() => changes.run(request, (tx) => runs.run(tx, caller, prepared)));
        return answer(reply, 200, shownRun(outcome));
      },
    );

    app.get(
      "/detections/rules/:rule_id/runs",
      operation("listRuleRuns", "List the runs of a detection rule", reading, {
        description:
          "`is_backfill` marks runs over windows that had failed or were missed; `runs_24h` does not count them.",
        params: RuleParams,
        querystring: ListRunsQuery,
        response: { 200: PageOf(RunBody) },
      }),
      async (request) => runs.list(callerOf(request), request.params.rule_id, request.query),
    );

    app.post(
      "/detections/rules/preview",
      operation("previewRule", "Preview a new detection rule", searching, {
        description:
          "Takes rule fields, or a Sigma rule or a correlation with its rules as `yaml` and rule fields that change it. `known` counts by the verdicts on rules that the caller may see. The query stops when the client disconnects.",
        body: PreviewRuleRequest,
        response: { 200: RulePreviewBody },
      }),
      async (request, reply) => runs.previewNew(callerOf(request), request.body, abortOnDisconnect(reply)),
    );

    app.post(
      "/detections/rules/:rule_id/preview",
      operation("previewRuleChange", "Preview a change of a detection rule", searching, {
        description: "The fields change the rule for this preview only; `yaml` replaces the base of an imported rule.",
        params: RuleParams,
        body: PreviewRuleRequest,
        response: { 200: RulePreviewBody },
      }),
      async (request, reply) =>
        runs.previewChanged(callerOf(request), request.params.rule_id, request.body, abortOnDisconnect(reply)),
    );
  };
}
