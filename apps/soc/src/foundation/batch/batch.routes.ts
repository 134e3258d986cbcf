import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { createDisconnectSignal } from "../caller/disconnect.ts";
import { BatchBody, BatchRequest } from "./batch.schema.ts";
import type { AnswerGet, BatchService } from "./batch.service.ts";
import { formatBatch } from "./batch.ts";

export function batchRoutes(batch: BatchService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/batch",
      {
        config: { needs: "authenticated", bySite: "own", effect: "none", isCompressed: true },
        schema: {
          operationId: "batchRequests",
          summary: "Send several read requests at once",
          body: BatchRequest,
          response: { 200: BatchBody },
        },
      },
      async (request, reply) => {
        const { remoteAddress = "" } = request.socket;
        const signal = createDisconnectSignal(reply);
        const get: AnswerGet = (path) =>
          request.carryCaller(signal, async () => {
            // The address is counted as if the client had sent this request.
            const { statusCode, payload } = await app.inject({ method: "GET", url: path, remoteAddress });
            return { status: statusCode, body: payload };
          });
        const answers = await batch.answer(request.body.requests, get, signal);
        return reply.type("application/json").send(formatBatch(answers));
      },
    );
  };
}
