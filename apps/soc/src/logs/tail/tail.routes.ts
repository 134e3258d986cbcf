import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { openSink } from "../../foundation/events/sink.ts";
import { TailQuery } from "./tail.schema.ts";
import { NEEDS, type TailService } from "./tail.service.ts";

export function tailRoutes(tail: TailService): FastifyPluginAsyncTypebox {
  return async (app) => {
    // A live tail never ends by itself: without this the server would never close.
    app.addHook("preClose", () => tail.close());

    app.get(
      "/siem/logs/tail",
      {
        config: { needs: NEEDS, bySite: "records", isPassive: true },
        schema: { operationId: "tailLogs", summary: "Stream new logs", querystring: TailQuery },
      },
      async (request, reply) => {
        const stop = tail.follow(callerOf(request), request.query, () => openSink(reply));
        if (reply.raw.destroyed) stop();
        else reply.raw.once("close", stop);
        return reply;
      },
    );
  };
}
