import type { FastifyReply } from "fastify";
import { createDisconnectSignal } from "../../foundation/caller/disconnect.ts";

/** Aborts if the client disconnects before the response is sent, or if the request is stopped. */
export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const disconnected = createDisconnectSignal(reply);
  const { stopped } = reply.request;
  return stopped ? AbortSignal.any([disconnected, stopped]) : disconnected;
}
