import { type BrotliOptions, brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A route other than GET whose answers are compressed: none of them holds a secret. */
    isCompressed?: boolean;
  }
}

type Encoding = "br" | "gzip";
type Compress = (text: string, done: (error: Error | null, compressed: Buffer) => void) => void;

const MIN_BYTES = 4096;
// Higher qualities cost several times as much for a few percent.
const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 4 };

const COMPRESS: Readonly<Record<Encoding, Compress>> = {
  br: (text, done) => brotliCompress(text, BROTLI, done),
  gzip: (text, done) => gzip(text, GZIP, done),
};

/**
 * Compresses large JSON answers, outside the thread that serves requests. BREACH: the size of a compressed answer that
 * holds a secret beside a text of the attacker reveals the secret, so only answers to GET, which never hold one, and of routes
 * that declare it are compressed.
 */
export function compressJson(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (typeof payload !== "string" || payload.length < MIN_BYTES || !mayCompress(request, reply)) {
      done(null, payload);
      return;
    }
    reply.header("vary", "accept-encoding");
    const encoding = chooseEncoding(request.headers["accept-encoding"]);
    if (!encoding) {
      done(null, payload);
      return;
    }
    COMPRESS[encoding](payload, (error, compressed) => {
      if (error) {
        done(error);
        return;
      }
      reply.removeHeader("content-length");
      reply.header("content-encoding", encoding);
      done(null, compressed);
    });
  });
}

function mayCompress({ method, routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  if (method !== "GET" && !routeOptions.config.isCompressed) return false;
  const type = String(reply.getHeader("content-type") ?? "");
  return type.startsWith("application/json") && !reply.hasHeader("content-encoding");
}

/** The best encoding that the client names and does not exclude by q=0. */
export function chooseEncoding(accept: string | string[] | undefined): Encoding | undefined {
  const accepted = String(accept ?? "")
    .toLowerCase()
    .split(",")
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(";", 1)[0]?.trim());
  if (accepted.includes("br")) return "br";
  return accepted.includes("gzip") ? "gzip" : undefined;
}
