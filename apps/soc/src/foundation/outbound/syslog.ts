import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect as connectTcp, isIP, type LookupFunction } from "node:net";
import { connect as connectTls } from "node:tls";
import { Problem } from "@kit/problem";

export interface SyslogServer {
  protocol: "udp" | "tcp" | "tls";
  host: string;
  port: number;
  /** Certificates (PEM) to trust instead of the well-known authorities. */
  ca?: string | undefined;
}

type ReachableServer = SyslogServer & { lookup: LookupFunction };

export const SYSLOG = "syslog";

/**
 * Sends messages to a syslog server. Over TCP and TLS it returns when the server has read all of them and closed the
 * connection; UDP has no acknowledgement.
 */
export async function sendBySyslog(
  server: ReachableServer,
  messages: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  return server.protocol === "udp" ? sendDatagrams(server, messages, signal) : sendStream(server, messages, signal);
}

async function sendDatagrams(
  { host, port, lookup }: ReachableServer,
  messages: readonly string[],
  signal: AbortSignal,
) {
  const family = isIP(host) === 6 ? "udp6" : "udp4";
  const socket = createSocket({
    type: family,
    signal,
    lookup: (name, options, callback) =>
      lookup(name, { ...options, all: false }, (error, address) => {
        // Only a lookup of all addresses answers a list.
        const first = typeof address === "string" ? address : "";
        callback(error, first, isIP(first));
      }),
  });
  try {
    socket.connect(port, host);
    await once(socket, "connect", { signal });
    for (const message of messages) {
      await new Promise<void>((resolve, reject) => {
        socket.send(message, (error) => (error ? reject(error) : resolve()));
      });
    }
  } finally {
    if (!signal.aborted) socket.close();
  }
}

async function sendStream(server: ReachableServer, messages: readonly string[], signal: AbortSignal): Promise<void> {
  const { protocol, host, port, lookup, ca } = server;
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket =
    protocol === "tcp"
      ? connectTcp({ host, port, lookup })
      : connectTls({
          ...{ host, port, lookup, ...name, ...(ca !== undefined && { ca }), minVersion: "TLSv1.2" },
          // Set explicitly, because an environment variable could change the default.
          rejectUnauthorized: true,
        });
  const end = () => socket.destroy(new Problem("unavailable", `${SYSLOG}: the exchange was aborted`));
  signal.addEventListener("abort", end, { once: true });
  try {
    await once(socket, protocol === "tcp" ? "connect" : "secureConnect");
    // RFC 6587, section 3.4.1, and RFC 5425, section 4.3: the length of a message precedes it.
    socket.end(messages.map((message) => `${Buffer.byteLength(message)} ${message}`).join(""));
    socket.resume();
    // The server closes its side after it has read everything.
    await once(socket, "end");
  } finally {
    signal.removeEventListener("abort", end);
    socket.destroy();
  }
}
