import { Problem } from "@kit/problem";
import type { FastifyReply } from "fastify";

/** Aborts when nobody waits for the answer any more. (The request's own signal also does so when its body was read.) */
export function abortOnDisconnect({ raw }: FastifyReply): AbortSignal {
  const abandoning = new AbortController();
  const abandon = () => abandoning.abort(new Problem("unavailable", "the caller has left"));
  if (raw.destroyed) abandon();
  else raw.once("close", abandon);
  return abandoning.signal;
}
