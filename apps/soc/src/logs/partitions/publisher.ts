import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Tables } from "../../foundation/database/tables.ts";
import type { StreamSource } from "../../foundation/events/event-stream.ts";
import type { Chunk, Refusal } from "../intake/pipeline/chunk.ts";
import type { ClaimsStore } from "../intake/pipeline/claims.store.ts";
import { buildDeadLetter, collectRefusals, type DeadLetter } from "../intake/pipeline/dead-letter.ts";
import type { DeadLettersStore } from "../intake/pipeline/dead-letters.store.ts";
import type { Outcomes } from "../intake/pipeline/outcome.ts";
import { partitionFor } from "../intake/pipeline/partition-for.ts";
import { type Bundle, groupIntoBundles, nameOrigin, toStreamEvent } from "../intake/pipeline/stream-chunk.ts";
import { otherBatch } from "../intake/pipeline/writer.service.ts";
import type { KnownName, NamesStore } from "./names.store.ts";

export interface PublisherDeps {
  db: Kysely<Tables>;
  /** The stream of each partition. */
  sources: readonly Pick<StreamSource, "publish">[];
  names: Pick<NamesStore, "findStored">;
  /** Batches that a writer of an older release has stored. */
  claims: Pick<ClaimsStore, "findBatches">;
  deadLetters: Pick<DeadLettersStore, "insert">;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}

/**
 * Publishes chunks to the streams of their partitions, whose owners store them. An acknowledged chunk is on the disks of
 * a majority of servers.
 */
export function createPublisher({ db, sources, names, claims, deadLetters, clock, ids }: PublisherDeps) {
  /** The batches that are already stored: the sender repeats itself, or uses a name twice. */
  async function storedBatches(chunks: readonly Chunk[]): Promise<Map<string, KnownName>> {
    const keys = new Map<number, string[]>();
    for (const chunk of chunks) {
      if (!chunk.batch) continue;
      const partition = partitionFor(nameOrigin(chunk), sources.length);
      keys.set(partition, [...(keys.get(partition) ?? []), chunk.batch.key]);
    }
    const former = (await claims.findBatches([...new Set([...keys.values()].flat())])).filter((each) => each.is_stored);
    const known = await Promise.all([...keys].map(([partition, those]) => names.findStored(partition, those)));
    return new Map([
      ...former.map(({ key, ...batch }) => [key, { name: key, ...batch }] as const),
      ...known.flat().map((batch) => [batch.name, batch] as const),
    ]);
  }

  /** Bisects the bundles until the event that is too large for the stream is isolated. */
  async function publishTo(
    source: Pick<StreamSource, "publish">,
    bundles: readonly Bundle[],
    refuse: (bundle: Bundle, why: Problem) => Promise<void>,
  ): Promise<void> {
    const [first] = bundles;
    if (!first) return;
    try {
      await source.publish(bundles.map((bundle) => toStreamEvent(bundle, clock.now())));
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== "invalid") throw error;
      if (bundles.length === 1) return refuse(first, error);
      const middle = Math.ceil(bundles.length / 2);
      await publishTo(source, bundles.slice(0, middle), refuse);
      await publishTo(source, bundles.slice(middle), refuse);
    }
  }

  async function publish(bundles: readonly Bundle[], refuse: (bundle: Bundle, why: Problem) => Promise<void>) {
    const published = sources.map((source, partition) =>
      publishTo(
        source,
        bundles.filter((bundle) => bundle.partition === partition),
        refuse,
      ),
    );
    // Waits for all of them: none may still be in flight when the sender learns of a failure.
    const failed = (await Promise.allSettled(published)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
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
        outcomes.set(chunk, {
          refused: [...unread.refused, ...selectNew(known.refused ?? [], unread.refused)],
          entries: [],
        });
      else fresh.push(chunk);
      refused.set(chunk, unread.refused);
    }
    await deadLetters.insert(db, letters);
    await publish(
      groupIntoBundles(fresh, sources.length, () => ids.next()),
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
    // The owner of the partition counts what it stores, so no entries are reported here.
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
