import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg, type StreamState } from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import {
  parseStreamEvents,
  type StreamEvent,
  type StreamReader,
  UNREADABLE,
} from "../../foundation/events/event-stream.ts";
import { decodePiece, ENCODING_HEADER, PACKED } from "./nats-pieces.ts";
import { createRecentPieces } from "./nats-recent-pieces.ts";
import type { OpenedNats } from "./nats-servers.ts";

export interface NatsReaderDeps {
  nats: OpenedNats;
  name: string;
  place: string;
  /** How long handled messages are kept, and their maximum size; undefined if they are not deleted. */
  keep: { ms: number; bytes: number } | undefined;
  clock: Pick<Clock, "monotonicMs" | "sleep">;
  log: Pick<Log, "warn" | "error">;
}

const EVENTS_IN_MESSAGE = 100;
const WAIT_MS = 1000;
const FETCH_MS = 5000;
const DELETE_EVERY_MS = 1000;
// How long to wait before another request to a server that is behind the others.
const BEHIND_MS = 200;
// A leader that lost its cluster gives up sooner. One that still lacks handled messages has an older copy of the
// stream.
const OLDER_COPY_MS = 60_000;
// The server removes a consumer that is idle for this long; the reader creates a new one if a batch took longer.
const IDLE_MS = 60_000;

/**
 * Reads the messages of a stream by their sequence numbers. It requests only as many as it returns, so a slow consumer
 * costs no memory. The server stores no position for it: the position belongs to the caller, and after a failure a new
 * reader continues there immediately.
 */
export function createNatsReader({ nats, name, place, keep, clock, log }: NatsReaderDeps): StreamReader {
  const [birth, number] = place.split(":");
  // Sequence numbers of a deleted stream mean nothing in a new stream of the same name.
  let isForeign = birth !== nats.birth;
  let after = isForeign ? 0 : Number(number);
  let consumer: Consumer | undefined;
  const recent = createRecentPieces();
  let isLoaded = false;
  /** Whether messages were deleted before they were read, which the next read reports. */
  let hasSkipped = false;
  /** Since when the leader of the stream has lacked handled messages. */
  let behindSinceMs: number | undefined;
  /**
   * The sequence numbers up to which messages were handled, with their times, oldest first; at most one entry per
   * second.
   */
  const handled: { upTo: number; atMs: number; bytes: number }[] = [];
  let noted = { upTo: 0, atMs: Number.NEGATIVE_INFINITY };
  let unnotedBytes = 0;

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

  /**
   * How many entries of `handled` may be deleted: old ones, and the oldest ones if all together take too much room.
   */
  function countDeletable({ ms, bytes }: { ms: number; bytes: number }, nowMs: number): number {
    let kept = 0;
    let at = handled.length;
    for (; at > 0; at -= 1) {
      const entry = handled[at - 1];
      kept += entry?.bytes ?? 0;
      if (!entry || nowMs - entry.atMs >= ms || kept > bytes) break;
    }
    return at;
  }

  async function deleteHandled(): Promise<void> {
    if (!keep) return;
    const nowMs = clock.monotonicMs();
    if (after > noted.upTo && nowMs - noted.atMs >= DELETE_EVERY_MS) {
      noted = { upTo: after, atMs: nowMs };
      handled.push({ ...noted, bytes: unnotedBytes });
      unnotedBytes = 0;
    }
    const old = handled.splice(0, countDeletable(keep, nowMs)).at(-1);
    // To NATS, "below 1" means all.
    if (!old || old.upTo <= 1) return;
    await nats.manager.streams
      // The newest message stays, and with it the number that the stream has reached.
      .purge(name, { seq: old.upTo })
      .catch((error: unknown) => log.warn({ err: error, stream: name }, "deleting handled events failed"));
  }

  /** More messages that are already stored, so this call does not wait for new ones. */
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
   * A message that is not a list of events was written by another client or another release. It becomes an event, so
   * that it does not block later messages and the consumer can park it.
   */
  async function read(message: JsMsg): Promise<StreamEvent[]> {
    const events = await eventsIn(message);
    if (events) return events;
    log.error({ stream: name, message: message.seq }, "stream message is not a list of events");
    const place = `${nats.birth}:${message.seq}`;
    const at = new Date(message.info.timestampNanos / 1_000_000).toISOString();
    return [{ id: place, at, type: UNREADABLE, subject_id: place, data: { text: message.string() } }];
  }

  /**
   * The state of the stream according to its leader; undefined while the leader is an outdated one that lacks handled
   * messages.
   */
  async function findState(): Promise<StreamState | undefined> {
    const { state } = await nats.manager.streams.info(name);
    const nowMs = clock.monotonicMs();
    behindSinceMs = state.last_seq < after ? (behindSinceMs ?? nowMs) : undefined;
    if (behindSinceMs === undefined) return state;
    if (nowMs - behindSinceMs < OLDER_COPY_MS) return undefined;
    log.error(
      { stream: name, handled: after, last: state.last_seq },
      "stream was replaced by an older copy, reading all of it",
    );
    consumer = undefined;
    isForeign = true;
    after = 0;
    handled.length = 0;
    noted = { upTo: 0, atMs: nowMs };
    return state;
  }

  /**
   * A consumer belongs to one server, which may lack messages that the others have: it then delivers older or later ones. Only
   * the leader of the stream knows which are deleted. Otherwise the next read tries another server.
   */
  async function skipDeleted(delivered: number): Promise<void> {
    consumer = undefined;
    const state = await findState();
    const isDeleted = async () => (await nats.manager.streams.getMessage(name, { seq: after + 1 })) === null;
    if (!state || state.last_seq < delivered || delivered <= after || !(await isDeleted()))
      return clock.sleep(BEHIND_MS);
    after = Math.max(after + 1, state.first_seq - 1);
    hasSkipped = true;
  }

  /** Whether the reader knows which messages the previous one has read last. */
  async function isReady(): Promise<boolean> {
    if (isLoaded) return true;
    const state = await findState();
    if (!state) await clock.sleep(BEHIND_MS);
    else await recent.load(nats, name, state.first_seq, after);
    isLoaded = state !== undefined;
    return isLoaded;
  }

  async function readFrom(from: Consumer, most: number, end: number | undefined) {
    const first = await from.next({ expires: WAIT_MS });
    if (!first) return undefined;
    if (first.seq !== after + 1 && !isForeign) {
      await skipDeleted(first.seq);
      return undefined;
    }
    const firstEvents = await read(first);
    const room = Math.min(first.info.pending, Math.floor((most - firstEvents.length) / EVENTS_IN_MESSAGE));
    const messages = await more(from, first, end === undefined ? room : end - first.seq);
    const last = messages.at(-1)?.seq ?? first.seq;
    if (end !== undefined && last !== end) throw new Error(`message ${last + 1} of ${end} did not arrive`);
    const others = await Promise.all(messages.map(async (each) => [each, await read(each)] as const));
    const all = [[first, firstEvents] as const, ...others];
    for (const [{ data }] of all) unnotedBytes += data.length;
    return { events: all.flatMap(([message, events]) => (recent.take(message) ? events : [])), last };
  }

  function toRead(events: StreamEvent[], last: number) {
    const hasGap = hasSkipped || isForeign;
    after = last;
    hasSkipped = false;
    isForeign = false;
    return { events, to: `${nats.birth}:${after}`, hasGap };
  }

  return {
    async read({ most, upTo }) {
      await deleteHandled();
      const end = upTo === undefined || isForeign ? undefined : Number(upTo.split(":")[1]);
      if (end !== undefined && end <= after) return toRead([], end);
      if (!(await isReady())) return undefined;
      consumer ??= await openConsumer();
      try {
        const found = await readFrom(consumer, most, end);
        return found && toRead(found.events, found.last);
      } catch (error) {
        consumer = undefined;
        throw error;
      }
    },

    // The server also removes an idle consumer, so a failed delete (server unreachable) is ignored.
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
