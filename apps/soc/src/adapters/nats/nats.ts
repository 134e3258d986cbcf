import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import {
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
  type StreamUpdateConfig,
} from "@nats-io/jetstream";
import { headers, nanos, type ServerInfo } from "@nats-io/transport-node";
import { type Piece, type StreamSource, splitIntoPieces } from "../../foundation/events/event-stream.ts";
import { ENCODING_HEADER, encodePiece, PACKED } from "./nats-pieces.ts";
import { createNatsReader } from "./nats-reader.ts";
import { PIECE_HEADER } from "./nats-recent-pieces.ts";
import {
  ANSWER_MS,
  BIRTH,
  type ConnectedNats,
  createNatsServers,
  type NatsServers,
  type OpenedNats,
} from "./nats-servers.ts";

export interface NatsSourceDeps {
  /** `nats://` or `tls://` addresses, separated by commas. */
  url: string;
  /** A connection that several sources share; if omitted, the source opens its own. */
  servers?: NatsServers;
  name: string;
  /** If omitted, it is derived from the name. */
  subject?: string;
  /** How many messages may wait for their acknowledgement. With more than one, the order of messages may change. */
  maxInFlight?: number;
  /** Whether messages are compressed. */
  isPacked?: boolean;
  /**
   * The number of servers that store each event. If omitted: three when the server belongs to a cluster, otherwise one.
   */
  replicas?: 1 | 3;
  /**
   * For a stream with one consumer: handled events are deleted, and a full stream refuses new events until then.
   * Otherwise events are kept for a day, and the oldest events make room for the newest.
   */
  isDeletedWhenHandled: boolean;
  /** How long handled events are kept before deletion. */
  keepHandledMs?: number;
  maxBytes: number;
  clock: Pick<Clock, "monotonicMs" | "sleep">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "info" | "warn" | "error">;
}

// One hundred events in a message give ten times the throughput of one.
const PIECE = { events: 100, bytes: 256 * 1024 };
const DAY_MS = 24 * 3_600_000;
// A new reader learns from the handled messages which pieces it has read. A message is therefore kept for longer than
// its publisher retries it, unless handled messages take this share of the room.
const KEEP_HANDLED_MS = 30_000;
const KEEP_HANDLED_SHARE = 0.25;
// After a server dies, the others elect a new leader, which takes about six seconds.
const PUBLISH_MS = 15_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1000;
// Headers count towards the size of a message.
const HEADER_BYTES = 1024;
// How long a refused publisher must wait before it retries.
const AGAIN_SECONDS = 5;
// Error codes of JetStream.
const NAME_IN_USE = 10_058;
const STREAM_NOT_FOUND = 10_059;
const STORE_FAILED = 10_077;

/**
 * A JetStream stream. Its servers must run with `sync_interval: always`: an acknowledged event is then on the disks of
 * a majority.
 */
export function createNatsSource(deps: NatsSourceDeps): StreamSource {
  const { name, clock, log, subject = `${name}.events`, maxInFlight = 1, isPacked = false } = deps;
  const servers = deps.servers ?? createNatsServers({ url: deps.url, log });
  /** Whether the stream existed when it was last used. */
  let exists = false;
  let isClosed = false;

  async function ensureStream(connected: ConnectedNats): Promise<void> {
    if (!exists) await provideStream(connected, deps, subject);
    exists = true;
  }

  async function publishOnce({ id, text }: Piece): Promise<void> {
    const connected = await servers.opened();
    const { client } = connected;
    const { max_payload: roomBytes } = requireInfo(connected);
    const body = isPacked ? await encodePiece(text) : text;
    if (Buffer.byteLength(body) + HEADER_BYTES > roomBytes) {
      throw invalidField("events", `one is larger than the ${roomBytes} bytes that the stream accepts`);
    }
    await ensureStream(connected);
    const about = headers();
    about.set(PIECE_HEADER, id);
    if (isPacked) about.set(ENCODING_HEADER, PACKED);
    await client.publish(subject, body, { timeout: ANSWER_MS, expect: { streamName: name }, headers: about });
  }

  /** Retries until the piece is acknowledged: a missing acknowledgement does not mean that the piece was not stored. */
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

  /** The current state of the stream; it is created if it does not exist. */
  async function look(): Promise<OpenedNats & { first: number; last: number }> {
    const connected = await servers.opened();
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
      const { isDeletedWhenHandled, keepHandledMs = KEEP_HANDLED_MS, maxBytes } = deps;
      const keep = isDeletedWhenHandled ? { ms: keepHandledMs, bytes: maxBytes * KEEP_HANDLED_SHARE } : undefined;
      return createNatsReader({ nats: await look(), name, place, keep, clock, log });
    },

    async publish(events) {
      const waiting = splitIntoPieces(events, PIECE).values();
      // With one lane, a repeated piece does not arrive after the next one.
      const lanes = Array.from({ length: maxInFlight }, async () => {
        for (const piece of waiting) await publishPiece(piece);
      });
      await Promise.all(lanes);
    },

    async close() {
      isClosed = true;
      if (!deps.servers) await servers.close();
    },
  };
}

/** Creates the stream if it does not exist, and updates its settings if they differ from ours. */
async function provideStream(connected: ConnectedNats, deps: NatsSourceDeps, subject: string): Promise<StreamInfo> {
  const { name, isDeletedWhenHandled, maxBytes, ids } = deps;
  const { manager } = connected;
  const replicas = deps.replicas ?? (requireInfo(connected).cluster === undefined ? 1 : 3);
  const settings = {
    subjects: [subject],
    num_replicas: replicas,
    discard: isDeletedWhenHandled ? DiscardPolicy.New : DiscardPolicy.Old,
    max_age: isDeletedWhenHandled ? 0 : nanos(DAY_MS),
    max_bytes: maxBytes,
    // Only the oldest messages are removed, never one in the middle: a reader treats a missing number as a loss.
    deny_delete: true,
  } satisfies Partial<StreamUpdateConfig>;
  const existing = await manager.streams.info(name).catch(undefinedWhen(STREAM_NOT_FOUND));
  if (existing) {
    const { config } = existing;
    return isDeepStrictEqual({ ...config, ...settings }, config) ? existing : manager.streams.update(name, settings);
  }
  const created = await manager.streams
    .add({
      name,
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      metadata: { [BIRTH]: ids.next() },
      ...settings,
    })
    .catch(undefinedWhen(NAME_IN_USE));
  // Another process created the stream first.
  return created ?? manager.streams.info(name);
}

/**
 * The information that the server sent. While reconnecting it is unknown: neither its limits nor its cluster may be
 * guessed.
 */
function requireInfo({ connection }: ConnectedNats): ServerInfo {
  if (!connection.info) throw new Error("NATS is not connected");
  return connection.info;
}

function undefinedWhen(code: number) {
  return (error: unknown): undefined => {
    if (!(error instanceof JetStreamApiError) || error.code !== code) throw error;
  };
}

/** The error that ends the attempts to publish; undefined while another attempt may succeed. */
function toRefusal(error: unknown, isLate: boolean): Problem | undefined {
  if (error instanceof Problem) return error;
  const isFull = error instanceof JetStreamApiError && error.code === STORE_FAILED && /maximum/.test(error.message);
  const options = { cause: error, retryAfterSeconds: AGAIN_SECONDS };
  if (isFull) return new Problem("unavailable", "the stream is full", options);
  return isLate ? new Problem("unavailable", "the stream does not answer", options) : undefined;
}
