import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Tables } from "../../../foundation/database/tables.ts";
import type { EventStream } from "../../../foundation/events/event-stream.ts";
import { buildDeadLetter, chooseDeadLetterId, collectRefusals, type DeadLetter } from "../dead-letter.ts";
import type { DeadLettersStore } from "../dead-letters.store.ts";
import type { Chunk, Refusal } from "./chunk.ts";
import type { ClaimsStore } from "./claims.store.ts";
import { type Bundle, groupIntoBundles, toStreamEvent } from "./stream-chunk.ts";
import { type Outcomes, otherBatch } from "./writer.service.ts";

export interface PublisherDeps {
  db: Kysely<Tables>;
  stream: Pick<EventStream, "publish">;
  claims: Pick<ClaimsStore, "findBatches">;
  deadLetters: Pick<DeadLettersStore, "insert">;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}

/** Gives parcels to the stream, from which a writer takes them. What it answers for is on the disks of most servers. */
export function createPublisher({ db, stream, claims, deadLetters, clock, ids }: PublisherDeps) {
  /** Of the batches, those that are stored already. Their senders repeat themselves, or use a name twice. */
  async function storedBatches(chunks: readonly Chunk[]) {
    const keys = chunks.flatMap(({ batch }) => (batch ? [batch.key] : []));
    const known = await claims.findBatches([...new Set(keys)]);
    return new Map(known.flatMap((batch) => (batch.is_stored ? [[batch.key, batch] as const] : [])));
  }

  /** Halves what the stream will not take until the event is alone that is too large for it. */
  async function publish(bundles: readonly Bundle[], refuse: (bundle: Bundle, why: Problem) => Promise<void>) {
    const [first] = bundles;
    if (!first) return;
    try {
      await stream.publish(bundles.map((bundle) => toStreamEvent(bundle, clock.now())));
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== "invalid") throw error;
      if (bundles.length === 1) return refuse(first, error);
      const middle = Math.ceil(bundles.length / 2);
      await publish(bundles.slice(0, middle), refuse);
      await publish(bundles.slice(middle), refuse);
    }
  }

  async function give(chunks: readonly Chunk[], outcomes: Outcomes): Promise<void> {
    const stored = await storedBatches(chunks);
    const refused = new Map<Chunk, Refusal[]>();
    const letters: DeadLetter[] = [];
    const fresh: Chunk[] = [];
    for (const chunk of chunks) {
      const known = chunk.batch && stored.get(chunk.batch.key);
      if (known && known.digest !== chunk.batch?.digest) {
        outcomes.set(chunk, otherBatch(chunk));
        continue;
      }
      const unread = collectRefusals(chunk, () => ids.next(), clock.now());
      letters.push(...unread.letters);
      if (known)
        outcomes.set(chunk, { refused: [...unread.refused, ...selectNew(known.refused, unread.refused)], entries: [] });
      else fresh.push(chunk);
      refused.set(chunk, unread.refused);
    }
    await deadLetters.insert(db, letters);
    await publish(
      groupIntoBundles(fresh, () => ids.next()),
      async ({ members }, why) => {
        const large: DeadLetter[] = [];
        for (const { chunk, entry } of members) {
          const reason = why.message.replace("events: one", "event:");
          const refusal = {
            index: entry.index,
            reason,
            dead_letter_id: chooseDeadLetterId(chunk, entry, () => ids.next()),
          };
          refused.get(chunk)?.push(refusal);
          large.push(buildDeadLetter(chunk, entry, refusal, clock.now()));
        }
        await deadLetters.insert(db, large);
      },
    );
    // The writer counts what it stores.
    for (const chunk of fresh) outcomes.set(chunk, { refused: refused.get(chunk) ?? [], entries: [] });
  }

  return {
    async storeGroup(chunks: readonly Chunk[]): Promise<Outcomes> {
      const outcomes: Outcomes = new Map();
      const failure = await give(chunks, outcomes).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      );
      for (const chunk of chunks) if (failure && !outcomes.has(chunk)) outcomes.set(chunk, failure);
      return outcomes;
    },
  };
}

function selectNew(refused: readonly Refusal[], reported: readonly Refusal[]): Refusal[] {
  const places = new Set(reported.map(({ index }) => index));
  return refused.filter(({ index }) => !places.has(index));
}
