import type { FastifyReply } from "fastify";
import type { Outcome } from "./effects.ts";

/** Answers with the changed object or, in dry_run, with a preview of it. */
export function answer<Result>(reply: FastifyReply, status: 200 | 201 | 202, { dry_run, result }: Outcome<Result>) {
  if (dry_run) return reply.code(200).send({ dry_run, preview: result });
  return reply.code(status).send(result);
}
