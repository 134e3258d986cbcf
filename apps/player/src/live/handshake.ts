import { Problem } from "@kit/problem";
import type { FastifyRequest } from "fastify";

/** Why a request cannot open a socket (RFC 6455, section 4.2.1); undefined when it can. */
export function checkHandshake({ ws, headers }: Pick<FastifyRequest, "ws" | "headers">): Problem | undefined {
  const { host = "", origin } = headers;
  if (!ws || headers.upgrade?.toLowerCase() !== "websocket") return refusal("upgrade: must be websocket");
  if (headers["sec-websocket-version"] !== "13") return refusal("sec-websocket-version: must be 13");
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers["sec-websocket-key"] ?? ""))
    return refusal("sec-websocket-key: must be 16 bytes in base64");
  if (headers["sec-websocket-protocol"] !== undefined) return refusal("sec-websocket-protocol: none is spoken here");
  if (origin !== undefined && hostOf(origin) !== host.toLowerCase())
    return refusal("origin: must be the host that is asked");
  return undefined;
}

function refusal(message: string): Problem {
  return new Problem("invalid", message);
}

/** An origin is a scheme, a host and an optional port, and nothing else; a sandboxed page sends "null". */
function hostOf(origin: string): string | undefined {
  return /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase();
}
