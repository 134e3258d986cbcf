import { callerOf } from "../../foundation/caller/caller.ts";
import { openSink } from "../../foundation/events/sink.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { TailQuery } from "./tail.schema.ts";
import { NEEDS, type TailService } from "./tail.service.ts";

export function tailRoutes(tail: TailService): Routes {
  return async (app) => {
    // A live tail has no end. Without this hook the server would never close.
    app.addHook("preClose", () => tail.close());

    app.get(
      "/siem/logs/tail",
      operation(
        "tailLogs",
        "Stream new logs",
        { needs: NEEDS, bySite: "records", isPassive: true },
        {
          description: "Refuses API keys. Sends `log`, and `dropped` with the number of logs that were not sent.",
          querystring: TailQuery,
        },
      ),
      async (request, reply) => {
        const stop = tail.follow(callerOf(request), request.query, () => openSink(reply));
        if (reply.raw.destroyed) stop();
        else reply.raw.once("close", stop);
        return reply;
      },
    );
  };
}
