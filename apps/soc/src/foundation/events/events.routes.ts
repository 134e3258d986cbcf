import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../caller/caller.ts";
import { SeveralOf } from "../lists/several.schema.ts";
import { splitSeveral } from "../lists/several.ts";
import type { EventsService } from "./events.service.ts";
import { openSink } from "./sink.ts";

const EventsHeaders = Type.Object({ "last-event-id": Type.Optional(Type.String({ maxLength: 100 })) });
const EventType = Type.String({ pattern: "^[a-z_]{1,50}(\\.[a-z_]{1,50})?$" });
const EventsQuery = Type.Object({ types: Type.Optional(SeveralOf(EventType)) });

export function eventsRoutes(events: EventsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    // An event stream never ends by itself: without this the server would never close.
    app.addHook("preClose", () => events.close());

    app.get(
      "/events",
      {
        config: { needs: "authenticated", isPassive: true, bySite: "records" },
        preValidation: splitSeveral(["types"]),
        schema: {
          operationId: "streamEvents",
          summary: "Stream events",
          headers: EventsHeaders,
          querystring: EventsQuery,
        },
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
