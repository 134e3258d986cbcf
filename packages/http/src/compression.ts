import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A route other than GET whose answers are compressed: none of them holds a secret. */
    isCompressed?: boolean;
  }
}

const MIN_BYTES = 4096;
// Brotli would make the answers a quarter smaller and cost twice as much; so would a higher level.
const GZIP = { level: 4 };

/**
 * Compresses large JSON answers, outside the thread that serves requests. BREACH: the size of a compressed answer that
 * contains both a secret and text of an attacker reveals the secret, so only answers to GET, which never hold one, and of routes
 * that declare it are compressed.
 */
export function compressJson(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (typeof payload !== "string" || payload.length < MIN_BYTES || !mayCompress(request, reply)) {
      done(null, payload);
      return;
    }
    reply.header("vary", "accept-encoding");
    if (!acceptsGzip(request.headers["accept-encoding"])) {
      done(null, payload);
      return;
    }
    gzip(payload, GZIP, (error, compressed) => {
      if (error) {
        done(error);
        return;
      }
      reply.removeHeader("content-length");
      reply.header("content-encoding", "gzip");
      done(null, compressed);
    });
  });
}

function mayCompress({ method, routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  if (method !== "GET" && !routeOptions.config.isCompressed) return false;
  const type = String(reply.getHeader("content-type") ?? "");
  return type.startsWith("application/json") && !reply.hasHeader("content-encoding");
}

/** Whether the client names gzip and does not exclude it by q=0. */
export function acceptsGzip(accept: string | string[] | undefined): boolean {
  const accepted = String(accept ?? "")
    .toLowerCase()
    .split(",");
  return accepted.some((part) => part.split(";", 1)[0]?.trim() === "gzip" && !/;\s*q=0(\.0*)?\s*$/.test(part));
}
