import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../caller/caller.ts";
import type { EventsService } from "./events.service.ts";
import { openSink } from "./sink.ts";

const EventsHeaders = Type.Object({ "last-event-id": Type.Optional(Type.String({ maxLength: 100 })) });

export function eventsRoutes(events: EventsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    // An event stream never ends by itself: without this the server would never close.
    app.addHook("preClose", () => events.close());

    app.get(
      "/events",
      { config: { needs: "authenticated", isPassive: true }, schema: { headers: EventsHeaders } },
      async (request, reply) => {
        const stop = await events.listen(callerOf(request), request.headers["last-event-id"], () => openSink(reply));
        if (reply.raw.destroyed) stop();
        else reply.raw.once("close", stop);
        return reply;
      },
    );
  };
}
