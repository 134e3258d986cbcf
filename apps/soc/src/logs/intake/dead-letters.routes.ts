import { callerOf } from "../../foundation/caller/caller.ts";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import type { DeadLettersService } from "./dead-letters.service.ts";
import { DeadLetterBody, DeadLetterPage, DeadLetterPath, IngestAnswer, ReplayRequest } from "./intake.schema.ts";

/** Under /api/v1. */
export function deadLettersRoutes(deadLetters: DeadLettersService): Routes {
  return async (app) => {
    app.get(
      "/siem/dead-letters",
      operation(
        "listDeadLetters",
        "List events that could not be stored",
        { needs: ["siem:read"], byKey: true },
        { description: "An API key sees only its own.", querystring: PageQuery, response: { 200: DeadLetterPage } },
      ),
      async (request) => deadLetters.list(callerOf(request), request.query),
    );

    app.get(
      "/siem/dead-letters/:id",
      operation(
        "getDeadLetter",
        "Get an event that could not be stored",
        { needs: ["siem:read"], byKey: true },
        { description: "The event as it arrived.", params: DeadLetterPath, response: { 200: DeadLetterBody } },
      ),
      async (request) => deadLetters.get(callerOf(request), request.params.id),
    );

    app.post(
      "/siem/dead-letters/:id/replay",

      // For people only: an API key must not send events in the name of another sender.
      operation(
        "replayDeadLetter",
        "Replay an event that could not be stored",
        { needs: ["siem:ingest", "siem:read"], effect: "internal", stepUp: true },
        {
          description:
            "Refuses API keys. `raw` is the corrected event; without it the event is sent as it arrived. A changed event is stored with the caller as its sender.",
          params: DeadLetterPath,
          body: ReplayRequest,
          response: { 202: IngestAnswer },
        },
      ),
      async (request, reply) =>
        reply.code(202).send(await deadLetters.replay(callerOf(request), request.params.id, request.body.raw)),
    );
  };
}
