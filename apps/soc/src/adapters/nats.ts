import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
  type StreamUpdateConfig,
} from "@nats-io/jetstream";
import { connect, type NatsConnection, nanos } from "@nats-io/transport-node";
import { type Piece, type StreamSource, splitIntoPieces } from "../foundation/events/event-stream.ts";
import { type NatsAddress, parseNatsAddress } from "./nats-address.ts";
import { createNatsReader, type OpenedNats } from "./nats-reader.ts";

export interface NatsSourceDeps {
  /** `nats://` or `tls://` addresses with commas between them. */
  url: string;
  name: string;
  /** On how many servers each event lies. Left out: on three when the server says that it is one of a cluster, else on one. */
  replicas?: 1 | 3;
  /** For a stream with one consumer: what it has handled is deleted, and a full stream takes no more until then. Without
   * this, events are kept for a day, and the first make room for the last. */
  isDeletedWhenHandled: boolean;
  maxBytes: number;
  clock: Pick<Clock, "monotonicMs" | "sleep">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "info" | "warn" | "error">;
}

// Ten times the throughput of one event in a message.
const PIECE = { events: 100, bytes: 256 * 1024 };
const DAY_MS = 24 * 3_600_000;
// A publisher that comes back after this would double what it cannot know to be there.
const DUPLICATES_MS = 10 * 60_000;
const ANSWER_MS = 2000;
// The servers choose a new leader when one dies; that takes about six seconds.
const PUBLISH_MS = 15_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1000;
const RECONNECT_MS = 250;
// When a publisher may come again that was refused.
const AGAIN_SECONDS = 5;
// A stream's own name among all of that name. Its time of creation is not one: each server of a cluster remembers another.
const BIRTH = "birth";
// Codes of JetStream's answers.
const NAME_IN_USE = 10_058;
const STREAM_NOT_FOUND = 10_059;
const STORE_FAILED = 10_077;

interface Connected {
  connection: NatsConnection;
  manager: JetStreamManager;
  client: JetStreamClient;
}

/** A stream of JetStream. Its servers must run with `sync_interval: always`: an acknowledged event is on the disks of most. */
export function createNatsSource(deps: NatsSourceDeps): StreamSource {
  const { name, clock, log } = deps;
  const address = parseNatsAddress(deps.url);
  const subject = `${name}.events`;
  let opening: Promise<Connected> | undefined;
  /** Whether the stream was there when it was last needed. */
  let exists = false;
  let isClosed = false;

  async function open() {
    const connection = await connectTo(address);
    void forgetWhenClosed(connection);
    const manager = await jetstreamManager(connection, { timeout: ANSWER_MS, checkAPI: false });
    return { connection, manager, client: manager.jetstream() };
  }

  /** It reconnects by itself, but for a refusal: then the next who needs it connects anew. */
  async function forgetWhenClosed(connection: NatsConnection): Promise<void> {
    const error = await connection.closed();
    opening = undefined;
    if (!isClosed) log.warn({ err: error, stream: name }, "stream closed the connection");
  }

  function opened() {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function ensureStream(connected: Connected): Promise<void> {
    if (!exists) await provideStream(connected, deps, subject);
    exists = true;
  }

  async function publishOnce({ id, text }: Piece): Promise<void> {
    const connected = await opened();
    const { client, connection } = connected;
    const roomBytes = connection.info?.max_payload ?? 0;
    if (Buffer.byteLength(text) > roomBytes) {
      throw invalidField("events", `one is larger than the ${roomBytes} bytes that the stream takes`);
    }
    await ensureStream(connected);
    await client.publish(subject, text, { msgID: id, timeout: ANSWER_MS, expect: { streamName: name } });
  }

  /** Again until it is acknowledged: that it was not does not mean that it is not there. */
  async function publishPiece(piece: Piece): Promise<void> {
    const startMs = clock.monotonicMs();
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, LAST_RETRY_MS)) {
      try {
        return await publishOnce(piece);
      } catch (error) {
        exists = false;
        const isLate = isClosed || clock.monotonicMs() - startMs + waitMs > PUBLISH_MS;
        const refusal = toRefusal(error, isLate);
        if (refusal) throw refusal;
      }
      await clock.sleep(waitMs);
    }
  }

  /** The stream as it is now; it is made when it is not there. */
  async function look(): Promise<OpenedNats & { first: number; last: number }> {
    const connected = await opened();
    const { manager, client } = connected;
    const { config, state } = await provideStream(connected, deps, subject);
    exists = true;
    const birth = config.metadata?.[BIRTH] ?? "";
    return { manager, client, birth, first: state.first_seq, last: state.last_seq };
  }

  return {
    name,

    async first() {
      const { birth, first } = await look();
      return `${birth}:${Math.max(first - 1, 0)}`;
    },

    async last() {
      const { birth, last } = await look();
      return `${birth}:${last}`;
    },

    async readAfter(place) {
      const { isDeletedWhenHandled } = deps;
      return createNatsReader({ nats: await look(), name, place, isDeletedWhenHandled, clock, log });
    },

    // One after the other: a piece that has to be sent again must not come after the next one.
    async publish(events) {
      for (const piece of splitIntoPieces(events, PIECE)) await publishPiece(piece);
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
    // The addresses that we were told are the ones that can be reached from here.
    ignoreClusterUpdates: true,
    noAsyncTraces: true,
    ...(user !== undefined && { user }),
    ...(pass !== undefined && { pass }),
    ...(hasTls && { tls: {} }),
  });
}

/** Makes the stream when it is not there, and gives it our settings when it has others. */
async function provideStream(
  { connection, manager }: Connected,
  deps: NatsSourceDeps,
  subject: string,
): Promise<StreamInfo> {
  const { name, isDeletedWhenHandled, maxBytes, ids } = deps;
  const replicas = deps.replicas ?? (connection.info?.cluster === undefined ? 1 : 3);
  const settings = {
    subjects: [subject],
    num_replicas: replicas,
    discard: isDeletedWhenHandled ? DiscardPolicy.New : DiscardPolicy.Old,
    max_age: isDeletedWhenHandled ? 0 : nanos(DAY_MS),
    max_bytes: maxBytes,
    duplicate_window: nanos(DUPLICATES_MS),
    // The first go, never one from between: a reader takes a missing number for a loss.
    deny_delete: true,
  } satisfies Partial<StreamUpdateConfig>;
  const there = await manager.streams.info(name).catch(undefinedWhen(STREAM_NOT_FOUND));
  if (there) {
    const { config } = there;
    return isDeepStrictEqual({ ...config, ...settings }, config) ? there : manager.streams.update(name, settings);
  }
  const made = await manager.streams
    .add({
      name,
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      metadata: { [BIRTH]: ids.next() },
      ...settings,
    })
    .catch(undefinedWhen(NAME_IN_USE));
  // Another process was faster.
  return made ?? manager.streams.info(name);
}

function undefinedWhen(code: number) {
  return (error: unknown): undefined => {
    if (!(error instanceof JetStreamApiError) || error.code !== code) throw error;
  };
}

/** What ends the attempts to publish; undefined while another may do better. */
function toRefusal(error: unknown, isLate: boolean): Problem | undefined {
  if (error instanceof Problem) return error;
  const isFull = error instanceof JetStreamApiError && error.code === STORE_FAILED && /maximum/.test(error.message);
  const options = { cause: error, retryAfterSeconds: AGAIN_SECONDS };
  if (isFull) return new Problem("unavailable", "the stream is full", options);
  return isLate ? new Problem("unavailable", "the stream does not answer", options) : undefined;
}
