import type { WebSocket } from "@fastify/websocket";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { type Problem, rateLimited } from "@kit/problem";
import type { Events } from "../events.ts";
import { type Client, createClient } from "./client.ts";
import type { Frame } from "./outbox.ts";

export interface LiveServiceDeps {
  events: Pick<Events, "onEvent">;
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep">;
  /** The initial state of a client; events update it from then on. */
  hello: () => object;
  log: Log;
}

export type LiveService = ReturnType<typeof createLiveService>;

const MAX_CLIENTS = 64;
const RETRY_MS = 10_000;
const WATCH_MS = 1000;
// RFC 6455, section 7.4.1.
const INTERNAL_ERROR = 1011;

/** Forwards the events of the device to every connected client, without filtering them. */
export function createLiveService({ events, clock, hello, log }: LiveServiceDeps) {
  const clients = new Set<Client>();
  let seq = 0;
  let isClosed = false;
  let isWatching = false;

  const stopListening = events.onEvent(({ type, data }) => {
    seq += 1;
    const frame = buildFrame(type, data);
    for (const client of clients) client.deliver(frame);
  });

  function buildFrame(type: string, data: object): Frame {
    return { type, seq, bytes: Buffer.from(JSON.stringify({ type, seq, ts: clock.now().getTime(), data })) };
  }

  async function watch(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    while (clients.size > 0) {
      await clock.sleep(WATCH_MS);
      for (const client of clients) client.tick();
    }
    isWatching = false;
  }

  /** The watch terminates clients that do not answer, so this always completes. */
  async function closeAllClients(): Promise<void> {
    const closing = [...clients];
    for (const client of closing) client.closeForStop();
    await Promise.all(closing.map(({ closed }) => closed));
  }

  return {
    /** Why no client is accepted now; undefined while there is capacity. */
    refusal(): Problem | undefined {
      if (clients.size < MAX_CLIENTS) return undefined;
      return rateLimited(`sockets: ${MAX_CLIENTS} are open; see Retry-After`, RETRY_MS);
    },

    connect(socket: WebSocket): void {
      const client = createClient({ socket, clock, log });
      clients.add(client);
      socket.once("close", () => clients.delete(client));
      socket.on("message", (message, isBinary) => {
        if (!isBinary && Buffer.isBuffer(message) && isPing(message)) client.deliver(buildFrame("pong", {}));
      });
      void watch();
      if (isClosed) client.closeForStop();
      else client.deliver(buildFrame("hello", hello()));
    },

    /**
     * Handles a socket error. ws itself closes a socket after an error of the client; if it is still open, the error is
     * ours.
     */
    fail(socket: WebSocket, error: Error): void {
      if (socket.readyState === socket.OPEN) log.error({ err: error }, "socket failed");
      else log.info({ why: error.message }, "socket broken by its client");
      socket.close(INTERNAL_ERROR);
    },

    clientCount: (): number => clients.size,

    /** Disconnects every client; each may reconnect immediately. */
    dropAll: closeAllClients,

    async close(): Promise<void> {
      isClosed = true;
      stopListening();
      await closeAllClients();
    },
  };
}

function isPing(bytes: Buffer): boolean {
  try {
    const message: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof message === "object" && message !== null && "type" in message && message.type === "ping";
  } catch {
    // Anything except a ping is ignored: commands use REST.
    return false;
  }
}
