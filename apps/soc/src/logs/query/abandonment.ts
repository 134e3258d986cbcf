import { Problem } from "@kit/problem";
import type { FastifyReply } from "fastify";

/**
 * Aborts when the client disconnects before the answer is sent. (The request's own signal also aborts once its body was
 * read.)
 */
export function abortOnDisconnect({ raw }: FastifyReply): AbortSignal {
  const abandoning = new AbortController();
  const abandon = () => abandoning.abort(new Problem("unavailable", "the client has disconnected"));
  if (raw.destroyed) abandon();
  else raw.once("close", abandon);
  return abandoning.signal;
}
