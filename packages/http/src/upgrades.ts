import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Where somebody serves another protocol, Node's parser leaves every connection that asks for one. If the request is
 * answered in HTTP all the same, nobody would read a second one. An upgrade that is accepted has no such answer.
 */
export function closeAfterRefusedUpgrade({ raw, socket }: FastifyRequest, reply: FastifyReply): void {
  if (!("upgrade" in raw) || raw.upgrade !== true) return;
  reply.header("connection", "close");
  reply.raw.once("finish", () => socket.destroySoon());
}
