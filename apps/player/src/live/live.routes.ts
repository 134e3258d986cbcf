import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import websocket from "@fastify/websocket";
import { checkHandshake } from "./handshake.ts";
import type { LiveService } from "./live.service.ts";

const MAX_MESSAGE_BYTES = 1024;
const PATHS = [
  { path: "/ws", operationId: "openSocket" },
  { path: "/api/ws", operationId: "openApiSocket" },
];

/** Both paths of the API document. The plugin is registered only here: elsewhere an upgrade is an ordinary request. */
export function liveRoutes(live: LiveService): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(websocket, {
      options: { maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false, autoPong: false },
      errorHandler: (error, socket) => live.fail(socket, error),
      preClose: () => live.close(),
    });
    for (const { path, operationId } of PATHS) {
      app.get(
        path,
        {
          websocket: true,
          config: { access: "none", budget: "socket" },
          schema: { operationId, summary: "Open a WebSocket for events" },
          // Check in the same turn as the handler, so that two concurrent requests cannot both take the last place.
          preHandler: (request, _reply, done) => done(checkHandshake(request) ?? live.refusal()),
        },
        (socket, request) => live.connect(socket, request.socket.remoteAddress ?? ""),
      );
    }
  };
}
