import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { DeadLettersService } from "./dead-letters.service.ts";
import { DeadLetterBody, DeadLetterPage, DeadLetterPath, IngestAnswer, ReplayRequest } from "./intake.schema.ts";

/** Below /api/v1. */
export function deadLettersRoutes(deadLetters: DeadLettersService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/siem/dead-letters",
      {
        config: { needs: ["siem:read"], byKey: true },
        schema: {
          operationId: "listDeadLetters",
          summary: "List events that could not be stored",
          querystring: PageQuery,
          response: { 200: DeadLetterPage },
        },
      },
      async (request) => deadLetters.list(callerOf(request), request.query),
    );

    app.get(
      "/siem/dead-letters/:id",
      {
        config: { needs: ["siem:read"], byKey: true },
        schema: {
          operationId: "getDeadLetter",
          summary: "Get an event that could not be stored",
          params: DeadLetterPath,
          response: { 200: DeadLetterBody },
        },
      },
      async (request) => deadLetters.get(callerOf(request), request.params.id),
    );

    app.post(
      "/siem/dead-letters/:id/replay",
      {
        // By people only: an API key must not send events in the name of another sender.
        config: { needs: ["siem:ingest", "siem:read"], effect: "internal" },
        schema: {
          operationId: "replayDeadLetter",
          summary: "Replay an event that could not be stored",
          params: DeadLetterPath,
          body: ReplayRequest,
          response: { 202: IngestAnswer },
        },
      },
      async (request, reply) =>
        reply.code(202).send(await deadLetters.replay(callerOf(request), request.params.id, request.body.raw)),
    );
  };
}
