import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { DeadLettersService } from "./dead-letters.service.ts";
import { DeadLetterBody, DeadLetterPage, DeadLetterPath, IngestAnswer, ReplayRequest } from "./intake.schema.ts";

/** Below /api/v1. */
export function deadLettersRoutes(deadLetters: DeadLettersService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/siem/dead-letters",
      {
        config: { needs: ["siem:ingest"], byKey: true },
        schema: { querystring: PageQuery, response: { 200: DeadLetterPage } },
      },
      async ({ query }) => deadLetters.list(query),
    );

    app.get(
      "/siem/dead-letters/:id",
      {
        config: { needs: ["siem:ingest"], byKey: true },
        schema: { params: DeadLetterPath, response: { 200: DeadLetterBody } },
      },
      async ({ params }) => deadLetters.get(params.id),
    );

    app.post(
      "/siem/dead-letters/:id/replay",
      {
        config: { needs: ["siem:ingest"], byKey: true, effect: "internal" },
        schema: { params: DeadLetterPath, body: ReplayRequest, response: { 202: IngestAnswer } },
      },
      async ({ params, body }, reply) => reply.code(202).send(await deadLetters.replay(params.id, body.raw)),
    );
  };
}
