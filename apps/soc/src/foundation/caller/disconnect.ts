import { Problem } from "@kit/problem";
import type { FastifyReply } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** Aborts when the answer is no longer wanted although the request's own connection is open. */
    stopped: AbortSignal | undefined;
  }
}

/** Calls back once: when the client disconnects, and also after an answer that was sent whole. */
export function onDisconnect({ raw }: Pick<FastifyReply, "raw">, leave: () => void): void {
  if (raw.destroyed) leave();
  else raw.once("close", leave);
}

/** Aborts as `onDisconnect` says. (The request's own signal also aborts once its body was read.) */
export function createDisconnectSignal(reply: Pick<FastifyReply, "raw">): AbortSignal {
  const abandoning = new AbortController();
  onDisconnect(reply, () => abandoning.abort(new Problem("unavailable", "the client has disconnected")));
  return abandoning.signal;
}
