import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Tables } from "../../../foundation/database/tables.ts";
import type { EventStream } from "../../../foundation/events/event-stream.ts";
import { type DeadLetter, deadLetterIdOf, deadLetterOf, refusalsOf } from "../dead-letter.ts";
import type { DeadLettersStore } from "../dead-letters.store.ts";
import type { ClaimsStore } from "./claims.store.ts";
import type { Parcel, Refusal } from "./parcel.ts";
import { type Bundle, bundlesOf, streamEventOf } from "./stream-parcel.ts";
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
  async function storedBatches(parcels: readonly Parcel[]) {
    const keys = parcels.flatMap(({ batch }) => (batch ? [batch.key] : []));
    const known = await claims.findBatches([...new Set(keys)]);
    return new Map(known.flatMap((batch) => (batch.is_stored ? [[batch.key, batch] as const] : [])));
  }

  /** Halves what the stream will not take until the event is alone that is too large for it. */
  async function publish(bundles: readonly Bundle[], refuse: (bundle: Bundle, why: Problem) => Promise<void>) {
    const [first] = bundles;
    if (!first) return;
    try {
      await stream.publish(bundles.map((bundle) => streamEventOf(bundle, clock.now())));
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== "invalid") throw error;
      if (bundles.length === 1) return refuse(first, error);
      const middle = Math.ceil(bundles.length / 2);
      await publish(bundles.slice(0, middle), refuse);
      await publish(bundles.slice(middle), refuse);
    }
  }

  async function give(parcels: readonly Parcel[], outcomes: Outcomes): Promise<void> {
    const stored = await storedBatches(parcels);
    const refused = new Map<Parcel, Refusal[]>();
    const letters: DeadLetter[] = [];
    const fresh: Parcel[] = [];
    for (const parcel of parcels) {
      const known = parcel.batch && stored.get(parcel.batch.key);
      if (known && known.digest !== parcel.batch?.digest) {
        outcomes.set(parcel, otherBatch(parcel));
        continue;
      }
      const unread = refusalsOf(parcel, () => ids.next(), clock.now());
      letters.push(...unread.letters);
      if (known)
        outcomes.set(parcel, { refused: [...unread.refused, ...newOf(known.refused, unread.refused)], entries: [] });
      else fresh.push(parcel);
      refused.set(parcel, unread.refused);
    }
    await deadLetters.insert(db, letters);
    await publish(
      bundlesOf(fresh, () => ids.next()),
      async ({ members }, why) => {
        const large: DeadLetter[] = [];
        for (const { parcel, entry } of members) {
          const reason = why.message.replace("events: one", "event:");
          const refusal = {
            index: entry.index,
            reason,
            dead_letter_id: deadLetterIdOf(parcel, entry, () => ids.next()),
          };
          refused.get(parcel)?.push(refusal);
          large.push(deadLetterOf(parcel, entry, refusal, clock.now()));
        }
        await deadLetters.insert(db, large);
      },
    );
    // The writer counts what it stores.
    for (const parcel of fresh) outcomes.set(parcel, { refused: refused.get(parcel) ?? [], entries: [] });
  }

  return {
    async storeGroup(parcels: readonly Parcel[]): Promise<Outcomes> {
      const outcomes: Outcomes = new Map();
      const failure = await give(parcels, outcomes).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      );
      for (const parcel of parcels) if (failure && !outcomes.has(parcel)) outcomes.set(parcel, failure);
      return outcomes;
    },
  };
}

function newOf(refused: readonly Refusal[], told: readonly Refusal[]): Refusal[] {
  const places = new Set(told.map(({ index }) => index));
  return refused.filter(({ index }) => !places.has(index));
}
