import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * On a server with an upgrade handler, Node's parser detaches from every connection that asks for an upgrade. If the
 * answer is plain HTTP all the same, no parser would read a second request. An accepted upgrade has no such answer.
 */
export function closeAfterRefusedUpgrade({ raw, socket }: FastifyRequest, reply: FastifyReply): void {
  if (!("upgrade" in raw) || raw.upgrade !== true) return;
  reply.header("connection", "close");
  reply.raw.once("finish", () => socket.destroySoon());
}
