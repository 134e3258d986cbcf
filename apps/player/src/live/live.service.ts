import type { WebSocket } from "@fastify/websocket";
import type { Clock } from "@kit/clock";
import { isLoopback } from "@kit/guard/address";
import type { Log } from "@kit/log";
import { type Problem, rateLimited } from "@kit/problem";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { Events } from "../events.ts";
import { type Client, createClient } from "./client.ts";
import type { Frame } from "./outbox.ts";

export interface LiveServiceDeps {
  events: Pick<Events, "onEvent">;
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep">;
  /** The initial state of a client; events update it from then on. */
  hello: () => object;
  /** A client may prove that it is the owner's. Counts a wrong token. */
  isOwnerToken: (token: string) => boolean;
  log: Log;
}

interface Connection {
  client: Client;
  address: string;
  isOwner: boolean;
  wrongTokens: number;
  /** It was asked to close, so its place is free. */
  isLeaving: boolean;
}

export type LiveService = ReturnType<typeof createLiveService>;

const MAX_CLIENTS = 64;
/** Without the token and of one address; a proxy on the device itself may have more. */
const MAX_STRANGERS_PER_ADDRESS = 8;
const MAX_WRONG_TOKENS = 3;
const RETRY_MS = 10_000;
const WATCH_MS = 1000;
// RFC 6455, section 7.4.1.
const INTERNAL_ERROR = 1011;

/** Forwards the events of the device to every connected client, without filtering them. */
export function createLiveService({ events, clock, hello, isOwnerToken, log }: LiveServiceDeps) {
  /** In the order in which they were opened. */
  const clients = new Set<Connection>();
  let seq = 0;
  let isClosed = false;
  let isWatching = false;

  const stopListening = events.onEvent(({ type, data }) => {
    seq += 1;
    const frame = buildFrame(type, data);
    for (const { client } of clients) client.deliver(frame);
  });

  function buildFrame(type: string, data: object): Frame {
    return { type, seq, bytes: Buffer.from(JSON.stringify({ type, seq, ts: clock.now().getTime(), data })) };
  }

  async function watch(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    while (clients.size > 0) {
      await clock.sleep(WATCH_MS);
      for (const { client } of clients) client.tick();
    }
    isWatching = false;
  }

  /** The watch terminates clients that do not answer, so this always completes. */
  async function closeAllClients(): Promise<void> {
    const closing = [...clients];
    for (const { client } of closing) client.closeForStop();
    await Promise.all(closing.map(({ client }) => client.closed));
  }

  const listStaying = () => [...clients].filter(({ isLeaving }) => !isLeaving);
  const listStrangers = () => listStaying().filter(({ isOwner }) => !isOwner);

  /** The oldest one of the address that has most; a client with the token is never closed for one without. */
  function findGreediest(): Connection | undefined {
    const strangers = listStrangers();
    const counts = new Map<string, number>();
    for (const { address } of strangers) counts.set(address, (counts.get(address) ?? 0) + 1);
    const most = Math.max(...counts.values());
    return strangers.find(({ address }) => counts.get(address) === most);
  }

  function makeRoom(address: string): void {
    const own = listStrangers().filter((each) => each.address === address);
    if (own.length >= MAX_STRANGERS_PER_ADDRESS && !isLoopback(address)) evict(own[0]);
    if (listStaying().length >= MAX_CLIENTS) evict(findGreediest());
  }

  function evict(connection: Connection | undefined): void {
    if (!connection) return;
    connection.isLeaving = true;
    connection.client.evict();
  }

  function readMessage(connection: Connection, bytes: Buffer): void {
    const message = parseMessage(bytes);
    if (message?.type === "ping") connection.client.deliver(buildFrame("pong", {}));
    if (message?.type !== "token" || connection.wrongTokens >= MAX_WRONG_TOKENS) return;
    if (isOwnerToken(message.token)) connection.isOwner = true;
    else connection.wrongTokens += 1;
  }

  return {
    /** Why no client is accepted now; undefined while there is capacity. */
    refusal(): Problem | undefined {
      if (listStaying().length < MAX_CLIENTS || findGreediest()) return undefined;
      return rateLimited(`sockets: ${MAX_CLIENTS} are open; see Retry-After`, RETRY_MS);
    },

    connect(socket: WebSocket, address: string): void {
      makeRoom(address);
      const client = createClient({ socket, clock, log });
      const connection = { client, address, isOwner: false, wrongTokens: 0, isLeaving: false };
      clients.add(connection);
      socket.once("close", () => clients.delete(connection));
      socket.on("message", (message, isBinary) => {
        if (!isBinary && Buffer.isBuffer(message)) readMessage(connection, message);
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

    clientCount: (): number => listStaying().length,

    /** Those that keep the device awake: at most MAX_CLIENTS, with and without the token. */
    answeringCount: (): number => listStaying().filter(({ client }) => client.isAnswering()).length,

    /** Those that have sent the token. */
    ownerCount: (): number => listStaying().filter(({ isOwner }) => isOwner).length,

    /** Disconnects every client; each may reconnect immediately. */
    dropAll: closeAllClients,

    async close(): Promise<void> {
      isClosed = true;
      stopListening();
      await closeAllClients();
    },
  };
}

const Message = Type.Union([
  Type.Object({ type: Type.Literal("ping") }),
  Type.Object({ type: Type.Literal("token"), token: Type.String() }),
]);

/** Anything else is ignored: commands use REST. */
function parseMessage(bytes: Buffer): Static<typeof Message> | undefined {
  try {
    const message: unknown = JSON.parse(bytes.toString("utf8"));
    return Value.Check(Message, message) ? message : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
