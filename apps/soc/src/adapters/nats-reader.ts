import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import {
  parseStreamEvents,
  type StreamEvent,
  type StreamReader,
  UNREADABLE,
} from "../foundation/events/event-stream.ts";
import { decodePiece, ENCODING_HEADER, PACKED } from "./nats-pieces.ts";

export interface OpenedNats {
  manager: JetStreamManager;
  client: JetStreamClient;
  /** Distinguishes the stream from a later stream of the same name, whose sequence numbers start again. */
  birth: string;
}

export interface NatsReaderDeps {
  nats: OpenedNats;
  name: string;
  place: string;
  /** For how long handled messages stay; undefined if they are not deleted. */
  keepMs: number | undefined;
  clock: Pick<Clock, "monotonicMs">;
  log: Pick<Log, "warn" | "error">;
}

const EVENTS_IN_MESSAGE = 100;
const WAIT_MS = 1000;
const FETCH_MS = 5000;
const DELETE_EVERY_MS = 1000;
// The server removes a consumer that is idle for this long; the reader creates a new one when a batch took longer.
const IDLE_MS = 60_000;

/**
 * Reads the messages of a stream by their sequence numbers. It requests only as many as it returns, so a slow consumer
 * costs no memory. The server stores no position for it: the position belongs to the caller, and after a failure a new
 * reader starts there at once.
 */
export function createNatsReader({ nats, name, place, keepMs, clock, log }: NatsReaderDeps): StreamReader {
  const [birth, number] = place.split(":");
  // Sequence numbers of a deleted stream mean nothing in a new stream of the same name.
  let isForeign = birth !== nats.birth;
  let after = isForeign ? 0 : Number(number);
  let consumer: Consumer | undefined;
  /** Up to where messages were handled at which time, oldest first; one entry a second at most. */
  const handled: { upTo: number; atMs: number }[] = [];
  let noted = { upTo: 0, atMs: Number.NEGATIVE_INFINITY };

  async function openConsumer(): Promise<Consumer> {
    const { manager, client } = nats;
    const info = await manager.consumers.add(name, {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: after + 1,
      inactive_threshold: nanos(IDLE_MS),
      mem_storage: true,
      num_replicas: 1,
    });
    return client.consumers.getConsumerFromInfo(info);
  }

  async function deleteHandled(): Promise<void> {
    if (keepMs === undefined) return;
    const nowMs = clock.monotonicMs();
    if (after > noted.upTo && nowMs - noted.atMs >= DELETE_EVERY_MS) {
      noted = { upTo: after, atMs: nowMs };
      handled.push(noted);
    }
    const old = handled.findLast(({ atMs }) => nowMs - atMs >= keepMs);
    if (!old) return;
    handled.splice(0, handled.indexOf(old) + 1);
    // To NATS, "below 1" means all.
    if (old.upTo <= 1) return;
    await nats.manager.streams
      // The newest message stays: after a kill, an emptied stream once counted from one again, below what is handled.
      .purge(name, { seq: old.upTo })
      .catch((error: unknown) => log.warn({ err: error, stream: name }, "deleting handled events failed"));
  }

  /** Further messages that are already stored, so this call does not wait for new ones. */
  async function more(from: Consumer, first: JsMsg, count: number): Promise<JsMsg[]> {
    if (count <= 0) return [];
    const messages: JsMsg[] = [];
    for await (const message of await from.fetch({ max_messages: count, expires: FETCH_MS })) {
      // A message was lost in transit: the next read starts with it.
      if (message.seq !== first.seq + messages.length + 1) break;
      messages.push(message);
    }
    if (messages.length < count) consumer = undefined;
    return messages;
  }

  /**
   * A message that is not a list of events was written by another client or another release. It becomes an event, so that
   * it does not block the messages after it and the consumer can set it aside.
   */
  async function read(message: JsMsg): Promise<StreamEvent[]> {
    const events = await eventsIn(message);
    if (events) return events;
    log.error({ stream: name, message: message.seq }, "stream message is not a list of events");
    const place = `${nats.birth}:${message.seq}`;
    const at = new Date(message.info.timestampNanos / 1_000_000).toISOString();
    return [{ id: place, at, type: UNREADABLE, subject_id: place, data: { text: message.string() } }];
  }

  async function readFrom(from: Consumer, isNew: boolean, most: number, end: number | undefined) {
    const first = await from.next({ expires: WAIT_MS });
    if (!first) return undefined;
    const isMissing = first.seq !== after + 1;
    if (isMissing && !isNew) {
      // Either lost in transit or deleted: the first message of a new consumer shows which.
      consumer = undefined;
      return undefined;
    }
    const hasGap = isMissing || isForeign;
    if (end !== undefined && first.seq > end) {
      consumer = undefined;
      return { events: [], last: end, hasGap };
    }
    const firstEvents = await read(first);
    const room = Math.min(first.info.pending, Math.floor((most - firstEvents.length) / EVENTS_IN_MESSAGE));
    const messages = await more(from, first, end === undefined ? room : end - first.seq);
    const last = messages.at(-1)?.seq ?? first.seq;
    if (end !== undefined && last !== end) throw new Error(`message ${last + 1} of ${end} did not come`);
    const others = await Promise.all(messages.map(read));
    return { events: [firstEvents, ...others].flat(), last, hasGap };
  }

  return {
    async read({ most, upTo }) {
      await deleteHandled();
      const end = upTo === undefined || isForeign ? undefined : Number(upTo.split(":")[1]);
      const isNew = consumer === undefined;
      consumer ??= await openConsumer();
      try {
        const found = await readFrom(consumer, isNew, most, end);
        if (!found) return undefined;
        after = found.last;
        isForeign = false;
        return { events: found.events, to: `${nats.birth}:${after}`, hasGap: found.hasGap };
      } catch (error) {
        consumer = undefined;
        throw error;
      }
    },

    // The server also removes an idle consumer by itself, so a failed delete (server unreachable) is ignored.
    async close() {
      await consumer?.delete().catch(() => undefined);
    },
  };
}

async function eventsIn(message: JsMsg): Promise<StreamEvent[] | undefined> {
  try {
    const isPacked = message.headers?.get(ENCODING_HEADER) === PACKED;
    return parseStreamEvents(isPacked ? JSON.parse(await decodePiece(message.data)) : message.json());
  } catch {
    return undefined;
  }
}
