import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Tables } from "../../../foundation/database/tables.ts";
import type { EventStream } from "../../../foundation/events/event-stream.ts";
import { buildDeadLetter, collectRefusals, type DeadLetter } from "../dead-letter.ts";
import type { DeadLettersStore } from "../dead-letters.store.ts";
import type { Chunk, Refusal } from "./chunk.ts";
import type { ClaimsStore } from "./claims.store.ts";
import type { Outcomes } from "./outcome.ts";
import { type Bundle, groupIntoBundles, toStreamEvent } from "./stream-chunk.ts";
import { otherBatch } from "./writer.service.ts";

export interface PublisherDeps {
  db: Kysely<Tables>;
  stream: Pick<EventStream, "publish">;
  claims: Pick<ClaimsStore, "findBatches">;
  deadLetters: Pick<DeadLettersStore, "insert">;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}

/**
 * Publishes chunks to the stream, from which a writer stores them. An acknowledged chunk is on the disks of a majority
 * of servers.
 */
export function createPublisher({ db, stream, claims, deadLetters, clock, ids }: PublisherDeps) {
  /** The batches that are already stored: the sender repeats itself, or uses a name twice. */
  async function storedBatches(chunks: readonly Chunk[]) {
    const keys = chunks.flatMap(({ batch }) => (batch ? [batch.key] : []));
    const known = await claims.findBatches([...new Set(keys)]);
    return new Map(known.flatMap((batch) => (batch.is_stored ? [[batch.key, batch] as const] : [])));
  }

  /** Splits the bundles in halves until the event that is too large for the stream is isolated. */
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

  async function publishAll(chunks: readonly Chunk[], outcomes: Outcomes): Promise<void> {
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
      const unread = collectRefusals(chunk, clock.now());
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
          const refusal = { index: entry.index, reason, dead_letter_id: entry.id };
          refused.get(chunk)?.push(refusal);
          large.push(buildDeadLetter(chunk, entry, refusal, clock.now()));
        }
        await deadLetters.insert(db, large);
      },
    );
    // The writer counts what it stores, so no entries are reported here.
    for (const chunk of fresh) outcomes.set(chunk, { refused: refused.get(chunk) ?? [], entries: [] });
  }

  return {
    async storeGroup(chunks: readonly Chunk[]): Promise<Outcomes> {
      const outcomes: Outcomes = new Map();
      const failure = await publishAll(chunks, outcomes).then(
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
