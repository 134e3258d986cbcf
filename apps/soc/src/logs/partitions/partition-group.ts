import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import type { Kysely } from "kysely";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import { type StreamEvent, UNREADABLE } from "../../foundation/events/event-stream.ts";
import type { LogStore } from "../../ports/log-store.ts";
import type { Chunk, Entry, Origin, Refusal } from "../intake/pipeline/chunk.ts";
import { buildDeadLetter, collectRefusals } from "../intake/pipeline/dead-letter.ts";
import type { DeadLettersStore } from "../intake/pipeline/dead-letters.store.ts";
import { groupChunks, type NewEntry, selectFresh } from "../intake/pipeline/group.ts";
import { readChunk } from "../intake/pipeline/stream-chunk.ts";
import { otherBatch } from "../intake/pipeline/writer.service.ts";
import type { SourcesService } from "../intake/sources.service.ts";
import type { EvaluationPlan, LogEvaluation } from "./evaluation.ts";
import { createNamesStore, type KnownName, type NewName } from "./names.store.ts";
import { createPartInserts } from "./part-inserts.ts";
import { type Holder, toNotAfterMs } from "./partition-rules.ts";
import type { ActiveClaim, PartitionsStore } from "./partitions.store.ts";

export interface PartitionGroupDeps {
  db: Kysely<Tables>;
  store: Pick<PartitionsStore, "claim" | "settle">;
  logStore: Pick<LogStore, "insert" | "count">;
  evaluation: LogEvaluation;
  sources: Pick<SourcesService, "countStored">;
  deadLetters: Pick<DeadLettersStore, "insert">;
  clock: Pick<Clock, "now" | "sleep" | "monotonicMs">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "error">;
}

/** A group that an owner has read from its stream. */
export interface ReadGroup {
  partition: number;
  holder: Holder;
  /** The places before the first and of the last message. */
  from: string;
  to: string;
  events: readonly StreamEvent[];
  /** An earlier attempt, by this owner or a previous one, may have stored some of it. */
  isAgain: boolean;
  /** Stores each chunk separately: a chunk on which our own code keeps failing becomes dead letters. */
  isLastTry: boolean;
  /** The end of the lease after its last renewal. */
  leaseUntilMs: () => number;
}

export type PartitionGroup = ReturnType<typeof createPartitionGroup>;

interface Arrival {
  chunk: Chunk;
  at: Date;
}

const UNKNOWN_ORIGIN: Origin = { format: "json", sender: "stream" };

/** Stores and evaluates one group of a partition. Any step may be repeated, even by another owner. */
export function createPartitionGroup(deps: PartitionGroupDeps) {
  const { db, store, logStore, evaluation, sources, deadLetters, clock, ids, log } = deps;

  async function keepLetters(tx: Tx | Kysely<Tables>, chunk: Chunk, entries: readonly Entry[], reason: string) {
    const letters = entries.map((entry) =>
      buildDeadLetter(chunk, entry, { index: entry.index, reason, dead_letter_id: entry.id }, clock.now()),
    );
    await deadLetters.insert(tx, letters);
  }

  async function readArrivals(events: readonly StreamEvent[]): Promise<Arrival[]> {
    const arrivals: Arrival[] = [];
    for (const event of events) {
      const chunk = readChunk(event);
      if (chunk) arrivals.push({ chunk, at: new Date(event.at) });
      else await rejectUnknown(event);
    }
    return arrivals;
  }

  async function rejectUnknown(event: StreamEvent): Promise<void> {
    log.error({ type: event.type, event_id: event.id }, "stream event is not a chunk of logs");
    const { type, data } = event;
    const raw = type === UNREADABLE && "text" in data ? String(data.text) : JSON.stringify(event);
    const about = { id: ids.next(), index: 0, raw, source: "unknown", sender: UNKNOWN_ORIGIN.sender };
    const entry = { ...about, log: undefined, reason: undefined, isNamed: false };
    const chunk = { entries: [entry], characters: 0, batch: undefined, origin: UNKNOWN_ORIGIN };
    await keepLetters(db, chunk, [entry], "stream: the event is not a chunk of logs");
  }

  /** The same batch under the same name is stored once; another batch with that name becomes dead letters. */
  async function chooseChunks(chunks: readonly Chunk[], known: readonly KnownName[]): Promise<Chunk[]> {
    const { leaders, followers } = groupChunks(chunks);
    const digests = new Map(known.flatMap(({ name, digest }) => (digest === null ? [] : [[name, digest] as const])));
    const chosen: Chunk[] = [];
    for (const chunk of leaders) {
      const digest = chunk.batch && digests.get(chunk.batch.key);
      if (digest === undefined) chosen.push(chunk);
      else if (digest !== chunk.batch?.digest) await keepLetters(db, chunk, chunk.entries, otherBatch(chunk).message);
    }
    for (const [chunk, leader] of followers) {
      if (chunk.batch?.digest === leader.batch?.digest) continue;
      await keepLetters(db, chunk, chunk.entries.map(withNewId), otherBatch(chunk).message);
    }
    return chosen;
  }

  /** Another batch with the same name has the same ids, under which its dead letters would be lost. */
  const withNewId = (entry: Entry): Entry => ({ ...entry, id: ids.next() });

  /** Stores entries that can no longer become a log, such as those of another release, as dead letters. */
  async function keepUnread(chunks: readonly Chunk[]): Promise<Map<Chunk, Refusal[]>> {
    const unread = chunks.map((chunk) => [chunk, collectRefusals(chunk, clock.now())] as const);
    const refused = unread.filter(([, { letters }]) => letters.length > 0);
    await deadLetters.insert(
      db,
      refused.flatMap(([, { letters }]) => letters),
    );
    return new Map(refused.map(([chunk, each]) => [chunk, each.refused]));
  }

  async function storeFresh(
    group: ReadGroup,
    claimed: ActiveClaim,
    fresh: readonly NewEntry[],
    refused: Map<Chunk, Refusal[]>,
  ) {
    const stamp = new Date(claimed.stampMs);
    const ingested_at = stamp.toISOString();
    for (const { log: each } of fresh) each.ingested_at = ingested_at;
    const { partition, from, to, isAgain } = group;
    const token = `soc-logs.${partition} ${from} ${to}`;
    const options = () => ({ partition, notAfter: new Date(toNotAfterMs(group.leaseUntilMs())) });
    const insert = createPartInserts({
      logStore,
      clock,
      async refuse({ chunk, entry }, reason) {
        await keepLetters(db, chunk, [entry], reason);
        const refusal = { index: entry.index, reason, dead_letter_id: entry.id };
        refused.set(chunk, [...(refused.get(chunk) ?? []), refusal]);
      },
    });
    if (!group.isLastTry) return { stored: await insert(fresh, { token, stamp, isAgain, options }), refused };
    const stored: NewEntry[] = [];
    for (const [place, [chunk, those]] of [...groupByChunk(fresh)].entries()) {
      try {
        stored.push(...(await insert(those, { token: `${token} chunk ${place}`, stamp, isAgain, options })));
      } catch (error) {
        if (!isBug(error)) throw error;
        log.error({ err: error, partition, events: those.length }, "storing logs failed unexpectedly");
        await keepLetters(db, chunk, chunk.entries, "event: cannot be stored");
      }
    }
    return { stored, refused };
  }

  function countSources(
    arrivals: readonly Arrival[],
    stored: readonly NewEntry[],
    refused: ReadonlyMap<Chunk, Refusal[]>,
  ) {
    const byChunk = groupByChunk(stored);
    for (const { chunk, at } of arrivals) {
      const entries = byChunk.get(chunk)?.map(({ entry }) => entry) ?? [];
      sources.countStored(chunk, { entries, refused: refused.get(chunk) ?? [] }, at);
    }
  }

  /** A bug in a rule must not stop the partition: after the last attempt the logs count as evaluated. */
  async function evaluate({ partition, isLastTry }: ReadGroup, plan: EvaluationPlan, stored: readonly NewEntry[]) {
    const logs = stored.map((each) => each.log);
    return evaluation.evaluate(partition, plan, logs).catch((error: unknown) => {
      if (!isLastTry || !isBug(error)) throw error;
      log.error({ err: error, partition, events: logs.length }, "log evaluation failed unexpectedly");
      return { failed: [], capped: [] };
    });
  }

  async function storeGroup(group: ReadGroup, arrivals: readonly Arrival[]): Promise<boolean> {
    const { partition, holder, to } = group;
    const chunks = arrivals.map(({ chunk }) => chunk);
    const taken = await store.claim(
      partition,
      holder,
      { to },
      (tx) => evaluation.begin(tx),
      (tx, claimed) => createNamesStore(tx).claim(partition, claimed.group, listNames(chunks)),
    );
    if (!taken) return false;
    const { claimed, plan, known } = taken;
    const chosen = await chooseChunks(chunks, known);
    const fresh = selectFresh(chosen, new Set(known.flatMap(({ name, digest }) => (digest === null ? [name] : []))));
    const { stored, refused } = await storeFresh(group, claimed, fresh, await keepUnread(chosen));
    const result = await evaluate(group, plan, stored);
    const batches = [...refused].flatMap(([{ batch }, those]) => (batch ? [[batch.key, those] as const] : []));
    const isSettled = await store.settle(partition, holder, async (tx) => {
      await createNamesStore(tx).refuse(partition, new Map(batches));
      await evaluation.end(tx, result, claimed.stampMs);
    });
    if (isSettled) countSources(arrivals, stored, refused);
    return isSettled;
  }

  return {
    /** Returns the number of logs; undefined if another worker owns the partition now. */
    async handle(group: ReadGroup): Promise<number | undefined> {
      const arrivals = await readArrivals(group.events);
      const isSettled = await storeGroup(group, arrivals);
      return isSettled ? arrivals.reduce((sum, { chunk }) => sum + chunk.entries.length, 0) : undefined;
    },
  };
}

function listNames(chunks: readonly Chunk[]): NewName[] {
  const names = new Map<string, NewName>();
  for (const { batch, entries } of chunks) {
    if (batch && !names.has(batch.key)) names.set(batch.key, { name: batch.key, digest: batch.digest });
    for (const { log, isNamed } of entries) if (log && isNamed) names.set(log.id, { name: log.id });
  }
  return [...names.values()];
}

/** Whether our own code failed. No server raises these errors. */
export function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}

function groupByChunk(fresh: readonly NewEntry[]): Map<Chunk, NewEntry[]> {
  const groups = new Map<Chunk, NewEntry[]>();
  for (const each of fresh) {
    const known = groups.get(each.chunk);
    if (known) known.push(each);
    else groups.set(each.chunk, [each]);
  }
  return groups;
}
