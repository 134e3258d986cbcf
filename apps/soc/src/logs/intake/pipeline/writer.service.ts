import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import { ALL_SITES } from "../../../foundation/caller/caller.ts";
import type { Tables } from "../../../foundation/database/tables.ts";
import type { LogStore } from "../../../ports/log-store.ts";
import type { Chunk, Entry } from "./chunk.ts";
import type { ClaimsStore, KnownBatch } from "./claims.store.ts";
import { collectRefusals } from "./dead-letter.ts";
import type { DeadLettersStore } from "./dead-letters.store.ts";
import { type Group, groupChunks, listEventNames, type NewEntry, selectFresh } from "./group.ts";
import type { IngestWatermark } from "./ingest-watermark.ts";
import { createInserts, parseRowProblem } from "./inserts.ts";
import { createIsolation } from "./isolation.ts";
import { isRejected, type Outcome, type Outcomes, type RejectedOutcome } from "./outcome.ts";
import type { StoreAlarm } from "./store-alarm.ts";
import type { WritersStore } from "./writers.store.ts";

export interface WriterServiceDeps {
  /** The name of the writer: unique to this process. */
  writer: string;
  db: Kysely<Tables>;
  claims: ClaimsStore;
  deadLetters: Pick<DeadLettersStore, "insert">;
  logStore: Pick<LogStore, "insert" | "count">;
  ingestWatermark: IngestWatermark;
  writers: Pick<WritersStore, "publish" | "floor">;
  /**
   * How long an unacknowledged insert may still take effect. On a single machine an insert ends together with the log
   * engine.
   */
  uncertainMs: number;
  /** Throws while the clock of this host is wrong: logs would be stored below windows that are complete. */
  requireClock?: (() => void) | undefined;
  /** Reports that logs cannot be stored for longer than a short outage. */
  alarm: StoreAlarm;
  clock: Clock;
  log: Pick<Log, "warn">;
}
export type WriterService = ReturnType<typeof createWriterService>;

/**
 * Stores chunks in groups. Repeatable batches and events are claimed in the database first, so that they are stored
 * once.
 */
export function createWriterService(deps: WriterServiceDeps) {
  const { writer, db, claims, deadLetters, logStore, ingestWatermark, writers, alarm, clock, log } = deps;
  const inserts = createInserts({ logStore, clock });
  // A process that has ended may have left unsettled inserts.
  let hasPending = true;
  let following: Promise<void> | undefined;
  const running = new Set<Promise<unknown>>();

  /** After the clock was wrong, this writer registers again, because windows did not wait for it. */
  function requireClock(): void {
    try {
      deps.requireClock?.();
    } catch (error) {
      following = undefined;
      throw error;
    }
  }

  /** Registers this writer. From then on, windows wait for it, and it stores nothing below a complete window. */
  function follow(): Promise<void> {
    following ??= followOnce().catch((error: unknown) => {
      following = undefined;
      throw error;
    });
    return following;
  }

  async function followOnce(): Promise<void> {
    await writers.publish(writer, ingestWatermark.watermark());
    const floor = await writers.floor(writer);
    if (floor) ingestWatermark.raise(floor);
  }

  /** An insert is atomic, so the existence of one of its logs shows whether it succeeded. */
  async function settlePending(): Promise<void> {
    const pending = await claims.listPending(writer, deps.uncertainMs / 1000);
    for (const { id, probe, ingested_at } of pending) {
      const where = { sql: "id = {probe:String}", parameters: { probe } };
      const to = new Date(ingested_at.getTime() + 1);
      const found = await logStore.count({ scope: ALL_SITES, where, time: "ingested_at", from: ingested_at, to }, 1);
      await (found > 0 ? claims.settle(id) : claims.forget(id));
    }
    hasPending = pending.length > 0;
  }

  /** Claims the group in the database, and returns what is already known about it. */
  async function prepare({ leaders, names }: Group, ingested_at: Date) {
    const refusals = new Map(leaders.map((chunk) => [chunk, collectRefusals(chunk, clock.now())]));
    const letters = [...refusals.values()].flatMap((each) => each.letters);
    const batches = leaders.flatMap((chunk) =>
      chunk.batch ? [{ ...chunk.batch, refused: refusals.get(chunk)?.refused ?? [] }] : [],
    );
    const refused = new Map(leaders.map((chunk) => [chunk, refusals.get(chunk)?.refused ?? []]));
    if (batches.length === 0 && names.length === 0 && letters.length === 0) return { refused, claim: undefined };
    const claim = await db.transaction().execute(async (tx) => {
      await deadLetters.insert(tx, letters);
      if (batches.length === 0 && names.length === 0) return undefined;
      return claims.claim(tx, { writer, ingested_at, probe: "" }, batches, names);
    });
    return { refused, claim };
  }

  /** Running inserts are not pending, but their claims look the same: wait for the earlier groups first. */
  async function settleBefore(earlier: readonly Promise<unknown>[]): Promise<void> {
    if (!hasPending) return;
    await Promise.allSettled(earlier);
    if (hasPending) await settlePending();
  }

  /** Undefined if every chunk of the group already has its outcome. */
  async function store(
    group: Group,
    outcomes: Outcomes,
    earlier: readonly Promise<unknown>[],
  ): Promise<RejectedOutcome | undefined> {
    requireClock();
    await follow();
    await settleBefore(earlier);
    const ingestedAt = ingestWatermark.begin();
    let insertId: string | undefined;
    try {
      const { refused, claim } = await prepare(group, ingestedAt);
      insertId = claim?.id;
      const known = new Map(claim?.batches.map((batch) => [batch.key, batch]));
      const storedNames = new Set(claim?.events.filter(({ is_stored }) => is_stored).map(({ id }) => id));
      const busyNames = new Set(claim?.events.filter(({ is_stored }) => !is_stored).map(({ id }) => id));
      const leaders = group.leaders.filter((chunk) => {
        const outcome = findKnownOutcome(chunk, known, busyNames);
        if (outcome) outcomes.set(chunk, outcome);
        return outcome === undefined;
      });
      if (insertId !== undefined) await releaseOthers(group, leaders, insertId, known, storedNames);
      const fresh = selectFresh(leaders, storedNames);
      const rejected = await insertFresh(fresh, ingestedAt, insertId);
      // Nothing of the insert is stored, so its claim must not prevent the chunks from being stored in pieces.
      if (rejected && insertId !== undefined) await claims.forget(insertId);
      ingestWatermark.end(ingestedAt);
      if (rejected) return rejected;
      for (const [chunk, entries] of groupStored(leaders, fresh)) {
        outcomes.set(chunk, { refused: refused.get(chunk) ?? [], entries });
      }
      await settle(insertId);
      return undefined;
    } catch (error) {
      if (insertId !== undefined) hasPending = true;
      ingestWatermark.fail(ingestedAt, deps.uncertainMs);
      throw error;
    }
  }

  /** Releases the claims of chunks that are not stored now, so that a repeat can claim them. */
  async function releaseOthers(
    group: Group,
    leaders: readonly Chunk[],
    insertId: string,
    known: ReadonlyMap<string, KnownBatch>,
    storedNames: ReadonlySet<string>,
  ): Promise<void> {
    const held = new Set(leaders.flatMap(listEventNames));
    const others = group.leaders.filter((chunk) => !leaders.includes(chunk));
    if (others.length === 0) return;
    const batches = others.flatMap(({ batch }) => (batch && !known.has(batch.key) ? [batch.key] : []));
    const names = others.flatMap(listEventNames).filter((id) => !held.has(id) && !storedNames.has(id));
    if (batches.length + names.length > 0) await claims.release(db, insertId, batches, names);
  }

  /** One insert for one claim: the existence of its first log shows whether the insert succeeded. */
  async function insertFresh(
    fresh: readonly NewEntry[],
    ingestedAt: Date,
    insertId: string | undefined,
  ): Promise<RejectedOutcome | undefined> {
    const [first] = fresh;
    if (!first) return undefined;
    const ingested_at = ingestedAt.toISOString();
    for (const { log: each } of fresh) each.ingested_at = ingested_at;
    if (insertId !== undefined) await claims.setProbe(insertId, first.log.id);
    try {
      await inserts.insert(fresh.map((each) => each.log));
      return undefined;
    } catch (error) {
      const problem = parseRowProblem(error);
      if (!problem) throw error;
      const { place, reason } = problem;
      return { badEntry: place === undefined ? undefined : fresh[place]?.entry, reason };
    }
  }

  /** The logs are stored. If marking the insert fails, the next group queries the log store. */
  async function settle(insertId: string | undefined): Promise<void> {
    if (insertId === undefined) return;
    await claims.settle(insertId).catch((error: unknown) => {
      hasPending = true;
      log.warn({ err: error }, "settling an insert failed");
    });
  }

  async function storeGroup(chunks: readonly Chunk[]): Promise<Outcomes> {
    const outcomes: Outcomes = new Map();
    const group = groupChunks(chunks);
    const storing = store(group, outcomes, [...running]);
    running.add(storing);
    const failure = await storing
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
      .finally(() => running.delete(storing));
    if (failure instanceof Error) await alarm.failed(failure);
    else alarm.passed();
    for (const chunk of group.leaders) if (failure && !outcomes.has(chunk)) outcomes.set(chunk, failure);
    for (const [chunk, leader] of group.followers) {
      const outcome = outcomes.get(leader) ?? new Error("a chunk has no outcome");
      outcomes.set(chunk, isOther(chunk, leader.batch?.digest) ? otherBatch(chunk) : asRepeat(outcome));
    }
    return outcomes;
  }

  const storeIsolated = createIsolation({
    async store(chunk) {
      return (await storeGroup([chunk])).get(chunk) ?? new Error("a chunk has no outcome");
    },
    /** The batch needs no separate insert, so it is stored as soon as it is claimed. */
    async remember({ key, digest }, refused) {
      await db.transaction().execute(async (tx) => {
        const insert = { writer, ingested_at: clock.now(), probe: "" };
        const { id } = await claims.claim(tx, insert, [{ key, digest, refused }], []);
        await claims.settle(id, tx);
      });
    },
  });

  return {
    storeGroup,

    /** Stores a chunk whose rows the log store refused as part of a group; the bad rows become dead letters. */
    storeIsolated,

    follow,

    /** Settles pending inserts now, including those of ended writers. */
    settleNow: () => settlePending(),
    requireClock,

    /** Makes the next group settle pending inserts first, including those of ended writers. */
    settlePending(): void {
      hasPending = true;
    },
  };
}

function asRepeat(outcome: Outcome): Outcome {
  return outcome instanceof Error || isRejected(outcome) ? outcome : { ...outcome, entries: [] };
}

function groupStored(chunks: readonly Chunk[], fresh: readonly NewEntry[]): Map<Chunk, Entry[]> {
  const stored = new Map<Chunk, Entry[]>(chunks.map((chunk) => [chunk, []]));
  for (const { chunk, entry } of fresh) stored.get(chunk)?.push(entry);
  return stored;
}

function isOther({ batch }: Chunk, digest: string | undefined): boolean {
  return batch?.digest !== digest;
}

export function otherBatch({ origin }: Chunk): Problem {
  return new Problem("conflict", `X-Batch-Id: '${origin.batchId}' was used for another batch within the last day`);
}

/** Undefined for a chunk that must be stored now. */
function findKnownOutcome(
  chunk: Chunk,
  known: ReadonlyMap<string, KnownBatch>,
  busyNames: ReadonlySet<string>,
): Outcome | undefined {
  const batch = chunk.batch && known.get(chunk.batch.key);
  if (batch?.is_stored) {
    return isOther(chunk, batch.digest) ? otherBatch(chunk) : { refused: batch.refused, entries: [] };
  }
  if (batch || listEventNames(chunk).some((id) => busyNames.has(id))) {
    return new Problem("unavailable", "the same events are being stored right now; see Retry-After", {
      code: "batch_in_progress",
      retryAfterSeconds: 1,
    });
  }
  return undefined;
}
