import { AckPolicy, DeliverPolicy, type JsMsg } from "@nats-io/jetstream";
import { type MsgHdrs, nanos } from "@nats-io/transport-node";
import type { OpenedNats } from "./nats-servers.ts";

/** The header with the id of a piece, identical when its publisher sends it again. */
export const PIECE_HEADER = "Manara-Piece";
/** The same header in messages of older releases. */
const FORMER_HEADER = "Nats-Msg-Id";

const MAX_REMEMBERED = 10_000;
const FETCH_MS = 5000;
const IDLE_MS = 10_000;

/**
 * The most recently read pieces. A publisher without an acknowledgement sends its piece again, so a stream may contain
 * it twice.
 *
 * The servers could drop the duplicate themselves, but they lose messages when doing so: a server remembers an id
 * before its cluster
 * has stored the message, and servers that remember different ids store different messages.
 */
export function createRecentPieces() {
  const ids = new Set<string>();

  function remember(id: string): void {
    ids.add(id);
    const [oldest] = ids;
    if (ids.size > MAX_REMEMBERED && oldest !== undefined) ids.delete(oldest);
  }

  return {
    /** Reads a range of stored messages, so that a new reader knows what the previous one knew. */
    async load(nats: OpenedNats, name: string, first: number, last: number): Promise<void> {
      const from = Math.max(1, first, last - MAX_REMEMBERED + 1);
      if (from > last) return;
      for (const id of await listIds(nats, name, from, last)) remember(id);
    },

    /** Returns whether the message is new, and remembers it. */
    take(message: Pick<JsMsg, "headers">): boolean {
      const id = readId(message.headers);
      if (id === undefined) return true;
      if (ids.has(id)) return false;
      remember(id);
      return true;
    },
  };
}

async function listIds({ manager, client }: OpenedNats, name: string, from: number, upTo: number): Promise<string[]> {
  const info = await manager.consumers.add(name, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: from,
    headers_only: true,
    inactive_threshold: nanos(IDLE_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  const consumer = client.consumers.getConsumerFromInfo(info);
  const ids: string[] = [];
  let last = 0;
  try {
    for await (const { seq, headers } of await consumer.fetch({ max_messages: upTo - from + 1, expires: FETCH_MS })) {
      const id = readId(headers);
      if (id !== undefined) ids.push(id);
      last = seq;
      if (last >= upTo) break;
    }
  } finally {
    await consumer.delete().catch(() => undefined);
  }
  // The responding server may be behind the others.
  if (last < upTo) throw new Error(`messages ${last + 1} to ${upTo} of ${name} did not arrive`);
  return ids;
}

function readId(headers: MsgHdrs | undefined): string | undefined {
  return headers?.get(PIECE_HEADER) || headers?.get(FORMER_HEADER) || undefined;
}
