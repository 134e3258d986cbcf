import type { FastifyReply } from "fastify";
import type { Outcome } from "./effects.ts";

/** What a changed object is answered with: itself, or in dry_run what it would have become. */
export function answer<Result>(reply: FastifyReply, status: 200 | 201, { dry_run, result }: Outcome<Result>) {
  if (dry_run) return reply.code(200).send({ dry_run, preview: result });
  return reply.code(status).send(result);
}
