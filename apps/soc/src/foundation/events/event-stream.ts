import { createHash } from "node:crypto";

/** An event that travels between processes. Its id is unique. */
export interface StreamEvent {
  id: string;
  at: string;
  type: string;
  /** The user who made the change, if known. */
  actor?: string;
  subject_id: string;
  data: object;
  /** For a change: its place in the outbox, and the noun of its record. */
  place?: string;
  subject_type?: string;
}

export interface Delivery {
  /** Identical on redelivery, as is the batch: use it as the idempotency key of the effect. */
  id: string;
  events: readonly StreamEvent[];
  /**
   * Starts at 1. After too many attempts, the consumer parks the events and resolves: a stream never skips events on
   * its own.
   */
  attempt: number;
  /** Earlier events were deleted and never delivered to this consumer. `events` may be empty in this case. */
  hasGap: boolean;
}

export interface Consumer {
  /** The key of the cursor. Of all processes that consume under one name, only one receives events at a time. */
  name: string;
  /** Where a consumer without a cursor begins: at the oldest stored event or at the next new one. */
  from: "first" | "next";
  /** The maximum number of events in one batch. */
  most: number;
  /** Resolves when the events are handled. After a rejection, the stream redelivers them with backoff. */
  handle(delivery: Delivery): Promise<void>;
}

export interface Consumption {
  /** Waits a limited time for the batch in progress. An unfinished batch is redelivered. */
  close(): Promise<void>;
}

/**
 * Durable events in one order.
 *
 * The order of two events is the same for every consumer and never changes. The events of one publish keep their order.
 * Events of concurrent publishes may interleave, and changes are ordered by the start of their transactions. A consumer
 * receives one batch at a time, in order, and each batch at least once: a crash before the acknowledgement redelivers
 * it.
 * `hasGap` reports every gap.
 */
export interface EventStream {
  /** Resolves when all events are durable. Idempotent: after a failure, publish the same events again. */
  publish(events: readonly StreamEvent[]): Promise<void>;
  consume(consumer: Consumer): Consumption;
  close(): Promise<void>;
}

export interface StreamRead {
  events: StreamEvent[];
  /** The position after these events. */
  to: string;
  hasGap: boolean;
}

export interface ReadOptions {
  most: number;
  /** If set, reads exactly the events up to this position, as an earlier read did. */
  upTo: string | undefined;
}

/** Reads forward from a position. Everything before the position was handled. */
export interface StreamReader {
  /** Waits briefly if there is nothing to read, then returns undefined. */
  read(options: ReadOptions): Promise<StreamRead | undefined>;
  close(): Promise<void>;
}

/** The storage of a stream. A position is an opaque string that only the source interprets. */
export interface StreamSource {
  readonly name: string;
  /** The position before the oldest stored event. */
  first(): Promise<string>;
  /** The position after the newest event. */
  last(): Promise<string>;
  readAfter(place: string, signal: AbortSignal): Promise<StreamReader>;
  publish(events: readonly StreamEvent[]): Promise<void>;
  close(): Promise<void>;
}

/** Events that are stored as one message. */
export interface Piece {
  /** A hash of the event ids: the same events give the same id. */
  id: string;
  text: string;
}

export interface PieceLimits {
  events: number;
  bytes: number;
}

/** Splits events into pieces within the limits; an event above the byte limit is a piece of its own. */
export function splitIntoPieces(events: readonly StreamEvent[], limits: PieceLimits): Piece[] {
  const pieces: Piece[] = [];
  let ids: string[] = [];
  let texts: string[] = [];
  let bytes = 0;
  const end = () => {
    if (texts.length > 0) pieces.push({ id: hashIds(ids), text: `[${texts.join(",")}]` });
    [ids, texts, bytes] = [[], [], 0];
  };
  for (const event of events) {
    const text = JSON.stringify(event);
    const size = Buffer.byteLength(text);
    if (ids.length === limits.events || bytes + size > limits.bytes) end();
    ids.push(event.id);
    texts.push(text);
    bytes += size;
  }
  end();
  return pieces;
}

function hashIds(ids: readonly string[]): string {
  // JSON, not join(): ("a,b") and ("a","b") must not collide.
  return createHash("sha256").update(JSON.stringify(ids)).digest("base64url");
}

/** The type of the event that replaces a stored message which is not a list of events. Its data has the `text`. */
export const UNREADABLE = "stream.unreadable";

/** Returns the events of a piece; undefined if the value is not a piece. */
export function parseStreamEvents(piece: unknown): StreamEvent[] | undefined {
  return Array.isArray(piece) && piece.every(isStreamEvent) ? piece : undefined;
}

function isStreamEvent(value: unknown): value is StreamEvent {
  if (typeof value !== "object" || value === null) return false;
  const { id, at, type, subject_id, data }: Partial<Record<keyof StreamEvent, unknown>> = value;
  const isNamed = [id, at, type, subject_id].every((text) => typeof text === "string");
  return isNamed && typeof data === "object" && data !== null;
}
