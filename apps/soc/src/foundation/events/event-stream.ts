import { createHash } from "node:crypto";

/** What travels between processes. It is told from every other by its id. */
export interface StreamEvent {
  id: string;
  at: string;
  type: string;
  subject_id: string;
  data: object;
}

export interface Delivery {
  /** The same when the batch comes again, and then the batch is the same: a token for an effect that must happen once. */
  id: string;
  events: readonly StreamEvent[];
  /** From 1. Whoever counts too many puts the events aside and resolves: a stream skips nothing by itself. */
  attempt: number;
  /** Events before these are gone and were never handed to this consumer. There may be no events beside that news. */
  hasGap: boolean;
}

export interface Consumer {
  /** Its place is kept under this name. Of all processes that consume under one name, one is handed events at a time. */
  name: string;
  /** Where a consumer begins that has no place yet: with the first event that is kept, or with the next that comes. */
  from: "first" | "next";
  /** How many events it takes at once. */
  most: number;
  /** Resolves when the events need not come again. After a rejection they do, later each time. */
  handle(delivery: Delivery): Promise<void>;
}

export interface Consumption {
  /** Waits a while for what is being handled. What was not handled then comes again. */
  close(): Promise<void>;
}

/**
 * Durable events in one order.
 *
 * The order of two events is the same for every consumer and never changes. The events of one publish keep theirs; events of
 * several publishes may mix, and so may changes by the order in which they began. A consumer is handed one batch at a time, in
 * that order and without a gap that is not told, and each batch at least once: again after a crash before it was handled.
 */
export interface EventStream {
  /** Resolves when all of them are durable. After a failure the same ones again: those that are there are not doubled. */
  publish(events: readonly StreamEvent[]): Promise<void>;
  consume(consumer: Consumer): Consumption;
  close(): Promise<void>;
}

export interface StreamRead {
  events: StreamEvent[];
  /** The place after them. */
  to: string;
  hasGap: boolean;
}

export interface ReadOptions {
  most: number;
  /** With it exactly the events up to this place, as they were read before. */
  upTo: string | undefined;
}

/** Reads on from its place. Whatever lies before that was handled. */
export interface StreamReader {
  /** Waits a moment when there is nothing to read, and then answers with nothing. */
  read(options: ReadOptions): Promise<StreamRead | undefined>;
  close(): Promise<void>;
}

/** Where the events of a stream lie. A place in it is a text that only the source understands. */
export interface StreamSource {
  readonly name: string;
  /** The place before the first event that is kept. */
  first(): Promise<string>;
  /** The place after all that are there. */
  last(): Promise<string>;
  readAfter(place: string, signal: AbortSignal): Promise<StreamReader>;
  publish(events: readonly StreamEvent[]): Promise<void>;
  close(): Promise<void>;
}

/** Events that are stored as one. */
export interface Piece {
  /** Of what is in it: the same events make the same id. */
  id: string;
  text: string;
}

export interface PieceLimits {
  events: number;
  bytes: number;
}

/** Cuts events into pieces within the limits; an event that is larger than that is a piece alone. */
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

/** The events of a piece; undefined when it is none. */
export function parseStreamEvents(piece: unknown): StreamEvent[] | undefined {
  return Array.isArray(piece) && piece.every(isStreamEvent) ? piece : undefined;
}

function isStreamEvent(value: unknown): value is StreamEvent {
  if (typeof value !== "object" || value === null) return false;
  const { id, at, type, subject_id, data }: Partial<Record<keyof StreamEvent, unknown>> = value;
  const isNamed = [id, at, type, subject_id].every((text) => typeof text === "string");
  return isNamed && typeof data === "object" && data !== null;
}
