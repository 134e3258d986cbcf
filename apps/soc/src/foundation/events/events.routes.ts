import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";
import Type from "typebox";
import { callerOf } from "../caller/caller.ts";
import type { EventsService, Sink } from "./events.service.ts";

const EventsHeaders = Type.Object({ "last-event-id": Type.Optional(Type.String({ maxLength: 100 })) });

export function eventsRoutes(events: EventsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    // An event stream never ends by itself: without this the server would never close.
    app.addHook("preClose", () => events.close());

    app.get(
      "/events",
      { config: { needs: "authenticated" }, schema: { headers: EventsHeaders } },
      async (request, reply) => {
        const stop = await events.listen(callerOf(request), request.headers["last-event-id"], () => open(reply));
        if (reply.raw.destroyed) stop();
        else reply.raw.once("close", stop);
        return reply;
      },
    );
  };
}

/** Takes the connection over from Fastify, which sends no reply of its own after this. */
function open(reply: FastifyReply): Sink {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  // Proxies buffer a response unless this header forbids it.
  raw.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
  return {
    write: (text) => raw.write(text),
    pendingBytes: () => raw.writableLength,
    end: () => raw.end(),
    cut: () => raw.destroy(),
  };
}
