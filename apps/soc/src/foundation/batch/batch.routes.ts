import { createDisconnectSignal } from "../caller/disconnect.ts";
import { operation, type Routes } from "../runtime/operation.ts";
import { BatchBody, BatchRequest } from "./batch.schema.ts";
import type { AnswerGet, BatchService } from "./batch.service.ts";
import { formatBatch } from "./batch.ts";

export function batchRoutes(batch: BatchService): Routes {
  return async (app) => {
    app.post(
      "/batch",
      operation(
        "batchRequests",
        "Send several read requests at once",
        { needs: "authenticated", bySite: "own", effect: "none", isCompressed: true },
        { body: BatchRequest, response: { 200: BatchBody } },
      ),
      async (request, reply) => {
        const { ip: remoteAddress } = request;
        const signal = createDisconnectSignal(reply);
        const get: AnswerGet = (path) =>
          request.carryCaller(signal, async () => {
            // Counts the request towards the address of the client that sent the batch, also behind a trusted proxy.
            const { statusCode, payload } = await app.inject({ method: "GET", url: path, remoteAddress });
            return { status: statusCode, body: payload };
          });
        const answers = await batch.answer(request.body.requests, get, signal);
        return reply.type("application/json").send(formatBatch(answers));
      },
    );
  };
}
