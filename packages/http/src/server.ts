import http from "node:http";
import https from "node:https";
import type { Server as TlsServer } from "node:tls";

export interface Tls {
  key: string | Buffer;
  cert: string | Buffer;
}

// A client that dawdles over its head is closed within five seconds (three and a half, and the next check).
const SLOW_CLIENTS = { headersTimeout: 3500, requestTimeout: 30_000, connectionsCheckingInterval: 1000 };
const SLOW_HANDSHAKES = { handshakeTimeout: 3500 };
// Node's own list for TLS 1.2 still offers CBC.
const AEAD_ONLY = { minVersion: "TLSv1.2", ciphers: "ECDHE+AESGCM:ECDHE+CHACHA20" } as const;

/** A plain or a TLS server that gives slow clients little time. */
export function createServer(
  { tls, maxConnections = 20_000 }: { tls?: Tls | undefined; maxConnections?: number | undefined },
  handler: http.RequestListener,
): http.Server | https.Server {
  const server = tls
    ? https.createServer({ ...SLOW_CLIENTS, ...SLOW_HANDSHAKES, ...AEAD_ONLY, ...tls }, handler)
    : http.createServer(SLOW_CLIENTS, handler);
  // Node would answer 417, which no API document knows; an expectation that we do not share is no reason to refuse.
  server.on("checkExpectation", handler);
  server.keepAliveTimeout = 10_000;
  server.maxConnections = maxConnections;
  return server;
}

/** New connections use the new certificate; open connections continue. Throws if certificate and key do not match. */
export function replaceCertificate(server: http.Server | TlsServer, tls: Tls): void {
  // Omitted entries fall back to Node's own list.
  if ("setSecureContext" in server) server.setSecureContext({ ...AEAD_ONLY, ...tls });
}
