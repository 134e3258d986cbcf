import type { Log } from "@kit/log";
import { type JetStreamClient, type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { type NatsAddress, parseNatsAddress } from "./nats-address.ts";

export interface NatsServersDeps {
  /** `nats://` or `tls://` addresses with commas between them. */
  url: string;
  log: Pick<Log, "warn">;
}

export interface ConnectedNats {
  connection: NatsConnection;
  manager: JetStreamManager;
  client: JetStreamClient;
}

/** One connection to the servers of the streams, opened when it is needed. */
export interface NatsServers {
  opened(): Promise<ConnectedNats>;
  close(): Promise<void>;
}

/** The names of the streams whose subjects match, and how many messages each holds. */
export async function countMessages(servers: NatsServers, subjects: string): Promise<ReadonlyMap<string, number>> {
  const { manager } = await servers.opened();
  const counts = new Map<string, number>();
  for await (const { config, state } of manager.streams.list(subjects)) counts.set(config.name, state.messages);
  return counts;
}

export const ANSWER_MS = 2000;
const RECONNECT_MS = 250;

export function createNatsServers({ url, log }: NatsServersDeps): NatsServers {
  const address = parseNatsAddress(url);
  let opening: Promise<ConnectedNats> | undefined;
  let isClosed = false;

  async function open(): Promise<ConnectedNats> {
    const connection = await connectTo(address);
    void forgetWhenClosed(connection);
    const manager = await jetstreamManager(connection, { timeout: ANSWER_MS, checkAPI: false });
    return { connection, manager, client: manager.jetstream() };
  }

  /** The client reconnects by itself, except after a refusal: then the next call opens a new connection. */
  async function forgetWhenClosed(connection: NatsConnection): Promise<void> {
    const error = await connection.closed();
    opening = undefined;
    if (!isClosed) log.warn({ err: error }, "stream connection closed");
  }

  return {
    opened() {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },

    async close() {
      isClosed = true;
      const current = await opening?.catch(() => undefined);
      await current?.connection.close();
    },
  };
}

function connectTo({ servers, user, pass, hasTls }: NatsAddress): Promise<NatsConnection> {
  return connect({
    servers,
    name: "manara-soc",
    timeout: ANSWER_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: 5000,
    // Use only the configured addresses: those that the cluster announces may be unreachable from here.
    ignoreClusterUpdates: true,
    noAsyncTraces: true,
    ...(user !== undefined && { user }),
    ...(pass !== undefined && { pass }),
    ...(hasTls && { tls: {} }),
  });
}
