import { Problem } from "@kit/problem";
import type { FastifyReply } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** Aborts if the response is no longer wanted although the request's connection is still open. */
    stopped: AbortSignal | undefined;
  }
}

/** Calls back once: when the client disconnects, or after a complete response. */
export function onDisconnect({ raw }: Pick<FastifyReply, "raw">, leave: () => void): void {
  if (raw.destroyed) leave();
  else raw.once("close", leave);
}

/**
 * Aborts under the conditions of `onDisconnect`. (The request's own signal also aborts once its body has been read.)
 */
export function createDisconnectSignal(reply: Pick<FastifyReply, "raw">): AbortSignal {
  const abandoning = new AbortController();
  onDisconnect(reply, () => abandoning.abort(new Problem("unavailable", "the client has disconnected")));
  return abandoning.signal;
}
