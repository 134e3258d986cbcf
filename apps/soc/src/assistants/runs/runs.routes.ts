import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { PageOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { abortOnDisconnect } from "../../logs/module.ts";
import {
  InvestigateRequest,
  InvestigationBody,
  InvestigationDetailBody,
  InvestigationPath,
  ListInvestigationsQuery,
  QueueBody,
  TranscriptBody,
} from "./runs.schema.ts";
import type { RunsService } from "./runs.service.ts";

const READ = { needs: ["agents:read"] } as const;
const CHANGED = { 200: WithPreviewOf(InvestigationDetailBody) };

export function runsRoutes(runs: RunsService, changes: ChangesService): Routes {
  return async (app) => {
    app.post(
      "/agents/investigate",
      operation(
        "startInvestigation",
        "Start an investigation",
        { needs: ["investigation:trigger"], effect: "change", isInvestigation: true },
        { body: InvestigateRequest, response: CHANGED },
      ),
      async (request, reply) => {
        const prepared = await runs.prepare(toScope(callerOf(request)), request.body);
        const outcome = await changes.run(request, (tx, caller) => runs.request(tx, caller, prepared));
        if (outcome.dry_run) return answer(reply, 200, outcome);
        return runs.wait(outcome.result.investigation_id, abortOnDisconnect(reply));
      },
    );

    app.get(
      "/agents/investigations",
      operation("listInvestigations", "List investigations", READ, {
        description: "Newest first, without `findings` and `alert_context`.",
        querystring: ListInvestigationsQuery,
        response: { 200: PageOf(InvestigationBody) },
      }),
      async ({ query }) => runs.list(query),
    );

    app.get(
      "/agents/investigations/queue",
      operation("getInvestigationQueue", "Get the state of the investigation queue", READ, {
        response: { 200: QueueBody },
      }),
      async () => runs.queue(),
    );

    app.get(
      "/agents/investigations/:id",
      operation("getInvestigation", "Get an investigation", READ, {
        params: InvestigationPath,
        response: { 200: InvestigationDetailBody },
      }),
      async ({ params }) => runs.get(params.id),
    );

    app.get(
      "/agents/investigations/:id/transcript",

      // The transcript contains the logs that were read.
      operation(
        "getInvestigationTranscript",
        "Get the transcript of an investigation",
        { needs: ["siem:search"] },
        { params: InvestigationPath, response: { 200: TranscriptBody } },
      ),
      async ({ params }) => runs.transcript(params.id),
    );

    app.post(
      "/agents/investigations/:id/cancel",
      operation(
        "cancelInvestigation",
        "Cancel an investigation",
        { needs: ["investigation:trigger"], effect: "change" },
        { description: "409 after its end.", params: InvestigationPath, response: CHANGED },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => runs.cancel(tx, caller, request.params.id)),
    );
  };
}
