import type { Log } from "@kit/log";
import { type JetStreamClient, type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import type { StreamState } from "../../foundation/events/log-streams.ts";
import { type NatsAddress, parseNatsAddress } from "./nats-address.ts";

export interface NatsServersDeps {
  /** `nats://` or `tls://` addresses, separated by commas. */
  url: string;
  log: Pick<Log, "warn">;
}

export interface ConnectedNats {
  connection: NatsConnection;
  manager: JetStreamManager;
  client: JetStreamClient;
}

/** A stream on a connection. */
export interface OpenedNats extends Pick<ConnectedNats, "manager" | "client"> {
  /** Distinguishes the stream from a later stream with the same name, whose sequence numbers start again. */
  birth: string;
}

/** One connection to the stream servers, opened on demand. */
export interface NatsServers {
  opened(): Promise<ConnectedNats>;
  close(): Promise<void>;
}

/** Returns the streams whose subjects match, by name. */
export async function listStreams(servers: NatsServers, subjects: string): Promise<ReadonlyMap<string, StreamState>> {
  const { manager } = await servers.opened();
  const found = new Map<string, StreamState>();
  for await (const { config, state } of manager.streams.list(subjects)) {
    const end = `${config.metadata?.[BIRTH] ?? ""}:${state.last_seq}`;
    found.set(config.name, { messages: state.messages, end });
  }
  return found;
}

/** Deletes the messages of a stream up to one of its places. */
export async function deleteUpTo(servers: NatsServers, name: string, place: string): Promise<void> {
  const { manager } = await servers.opened();
  const { config } = await manager.streams.info(name);
  const [birth, number] = place.split(":");
  // To NATS, "below 1" means all.
  if (birth === config.metadata?.[BIRTH] && Number(number) > 0)
    await manager.streams.purge(name, { seq: Number(number) + 1 });
}

/**
 * Metadata key that identifies a stream among all streams of the same name. The creation time cannot: each server of a
 * cluster reports a different one.
 */
export const BIRTH = "birth";
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

  /** The client reconnects automatically, except after a refusal: the next call then opens a new connection. */
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
