import type { FastifyReply } from "fastify";

const YEAR_S = 31_536_000;

/** Browsers must not guess the type of an answer, nor return over plain HTTP to a server that has TLS. */
export function secureAnswer(reply: FastifyReply, isHttps: boolean): void {
  reply.header("x-content-type-options", "nosniff");
  if (isHttps) reply.header("strict-transport-security", `max-age=${YEAR_S}`);
}
