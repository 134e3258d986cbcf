import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";

import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
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
const CHANGED = { 200: Type.Union([InvestigationDetailBody, PreviewOf(InvestigationDetailBody)]) };

export function runsRoutes(runs: RunsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/agents/investigate",
      {
        config: { needs: ["investigation:trigger"], effect: "change", isInvestigation: true },
        schema: {
          operationId: "startInvestigation",
          summary: "Start an investigation",
          body: InvestigateRequest,
          response: CHANGED,
        },
      },
      async (request, reply) => {
        const prepared = await runs.prepare(toScope(callerOf(request)), request.body);
        const outcome = await changes.run(request, (tx, caller) => runs.request(tx, caller, prepared));
        if (outcome.dry_run) return answer(reply, 200, outcome);
        return runs.wait(outcome.result.investigation_id, abortOnDisconnect(reply));
      },
    );

    app.get(
      "/agents/investigations",
      {
        config: READ,
        schema: {
          operationId: "listInvestigations",
          summary: "List investigations",
          querystring: ListInvestigationsQuery,
          response: { 200: PageOf(InvestigationBody) },
        },
      },
      async ({ query }) => runs.list(query),
    );

    app.get(
      "/agents/investigations/queue",
      {
        config: READ,
        schema: {
          operationId: "getInvestigationQueue",
          summary: "Get the state of the investigation queue",
          response: { 200: QueueBody },
        },
      },
      async () => runs.queue(),
    );

    app.get(
      "/agents/investigations/:id",
      {
        config: READ,
        schema: {
          operationId: "getInvestigation",
          summary: "Get an investigation",
          params: InvestigationPath,
          response: { 200: InvestigationDetailBody },
        },
      },
      async ({ params }) => runs.get(params.id),
    );

    app.get(
      "/agents/investigations/:id/transcript",
      {
        // It contains the logs that were read.
        config: { needs: ["siem:search"] },
        schema: {
          operationId: "getInvestigationTranscript",
          summary: "Get the transcript of an investigation",
          params: InvestigationPath,
          response: { 200: TranscriptBody },
        },
      },
      async ({ params }) => runs.transcript(params.id),
    );

    app.post(
      "/agents/investigations/:id/cancel",
      {
        config: { needs: ["investigation:trigger"], effect: "change" },
        schema: {
          operationId: "cancelInvestigation",
          summary: "Cancel an investigation",
          params: InvestigationPath,
          response: CHANGED,
        },
      },
      async (request, reply) => {
        const cancelled = await changes.run(request, (tx, caller) => runs.cancel(tx, caller, request.params.id));
        return answer(reply, 200, cancelled);
      },
    );
  };
}
