import Type from "typebox";
import { callerOf } from "../caller/caller.ts";
import { MultiValueOf } from "../lists/multi-value-params.schema.ts";
import { parseMultiValueParams } from "../lists/multi-value-params.ts";
import { operation, type Routes } from "../runtime/operation.ts";
import type { EventsService } from "./events.service.ts";
import { openSink } from "./sink.ts";

const EventsHeaders = Type.Object({ "last-event-id": Type.Optional(Type.String({ maxLength: 100 })) });
const EventType = Type.String({ pattern: "^[a-z_]{1,50}(\\.[a-z_]{1,50})?$" });
const EventsQuery = Type.Object({ types: Type.Optional(MultiValueOf(EventType)) });

export function eventsRoutes(events: EventsService): Routes {
  return async (app) => {
    // An event stream has no end. Without this hook the server would never close.
    app.addHook("preClose", () => events.close());

    app.get(
      "/events",
      {
        ...operation(
          "streamEvents",
          "Stream events",
          { needs: "authenticated", isPassive: true, bySite: "records" },
          {
            description:
              "Server-sent events that the caller may read by the current role, and the results of the caller's own requests. `Last-Event-ID` continues; `reset` means that the client must load everything again. The stream ends with the session or the user and does not count as use of the session.",
            headers: EventsHeaders,
            querystring: EventsQuery,
          },
        ),
        preValidation: parseMultiValueParams(["types"]),
      },
      async (request, reply) => {
        const { headers, query } = request;
        const asked = { lastEventId: headers["last-event-id"], types: query.types };
        const stop = await events.listen(callerOf(request), asked, () => openSink(reply));
        if (reply.raw.destroyed) stop();
        else reply.raw.once("close", stop);
        return reply;
      },
    );
  };
}
