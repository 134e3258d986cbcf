import { Problem } from "@kit/problem";
import type { Background, Base } from "../../foundation/base.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { countAfter, type LogStreams } from "../../foundation/events/log-streams.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { LogStore } from "../../ports/log-store.ts";
import type { ClaimsStore } from "../intake/pipeline/claims.store.ts";
import type { DeadLettersStore } from "../intake/pipeline/dead-letters.store.ts";
import type { StoreAlarm } from "../intake/pipeline/store-alarm.ts";
import type { WritersStore } from "../intake/pipeline/writers.store.ts";
import type { SourcesService } from "../intake/sources.service.ts";
import type { PartitionWork } from "./evaluation.ts";
import { createFormerStream } from "./former-stream.worker.ts";
import { requireNoneBeyond } from "./log-partitions.ts";
import { createNamesStore } from "./names.store.ts";
import { createPartitionGroup } from "./partition-group.ts";
import { listPartitionMeasures } from "./partition-measures.ts";
import { createPartitionOwner } from "./partition-owner.worker.ts";
import { createFrontierStore, createPartitionsStore } from "./partitions.store.ts";

export interface PartitionsNeeds {
  streams: LogStreams;
  logStore: Pick<LogStore, "insert" | "count">;
  sources: Pick<SourcesService, "countStored" | "flush">;
  deadLetters: Pick<DeadLettersStore, "insert">;
  alarm: StoreAlarm;
  claims: Pick<ClaimsStore, "findBatches">;
  settlePending: () => Promise<void>;
}

/** How long the start waits for the stream servers. */
const CHECK_MS = 5000;
const COUNTERS_MS = 1000;

/** The partitions of the logs. A worker owns some of them; the intake only publishes. */
export function createPartitions(
  { db, clock, ids, log }: Pick<Base, "db" | "clock" | "ids" | "log">,
  needs: PartitionsNeeds,
) {
  const { streams, sources, claims, settlePending } = needs;
  const store = createPartitionsStore(db);
  const partitions = streams.sources.length;
  let owner: ReturnType<typeof createPartitionOwner> | undefined;

  async function requireAll(): Promise<void> {
    requireNoneBeyond(partitions, await countWaiting());
  }

  /** Returns the number of unhandled messages of each partition. */
  async function countWaiting(): Promise<Map<number, number>> {
    const [found, handled] = await Promise.all([streams.list(), store.listHandled()]);
    return new Map([...found.partitions].map(([each, state]) => [each, countAfter(handled.get(each), state)]));
  }

  /** Without its row nothing shows that the newest messages of a stream, which are kept for a while, are handled. */
  async function deleteBeyond(): Promise<void> {
    const { partitions: found } = await streams.list();
    const beyond = [...(await store.listHandled())].filter(([each]) => each >= partitions && found.has(each));
    for (const [each, place] of beyond) await streams.deleteUpTo(each, place);
    await store.deleteFrom(partitions);
  }

  /** Creates the streams and their rows. Rows beyond the last partition have nothing left to store. */
  async function prepare(): Promise<void> {
    await requireAll();
    const known = new Set(await store.list());
    const missing = streams.sources.flatMap((source, partition) =>
      known.has(partition) ? [] : [{ source, partition }],
    );
    const places = await Promise.all(
      missing.map(async ({ source, partition }) => [partition, await source.first()] as const),
    );
    await store.create(new Map(places));
    await deleteBeyond();
  }

  return {
    count: partitions,
    /** The place in the stream of each partition up to which all logs are stored. */
    listHandled: () => store.listHandled(),
    findFrontier: (tx: Db) => createFrontierStore(tx).find(),

    /**
     * Stops the start of a process that would leave messages unread. If the servers do not respond, the owner checks
     * later.
     */
    check: {
      async start(): Promise<void> {
        const late = new AbortController();
        await Promise.race([requireAll(), clock.sleep(CHECK_MS, late.signal)])
          .catch((error: unknown) => {
            if (error instanceof Problem && error.kind === "invalid") throw error;
            log.warn({ err: error }, "checking the partitions of the stream failed");
          })
          .finally(() => late.abort());
      },
      close: () => undefined,
    } satisfies Background,

    /** Windows close below the lowest watermark of all partitions and of writers of older releases. */
    joinWatermarks: (writers: WritersStore): WritersStore => ({
      ...writers,
      async lowest(withinSeconds) {
        const [writer, partition] = await Promise.all([writers.lowest(withinSeconds), store.lowest()]);
        if (!writer || !partition) return partition ?? writer;
        return new Date(Math.min(writer.getTime(), partition.getTime()));
      },
    }),

    measures: listPartitionMeasures({ streams, countWaiting, clock, ownedCount: () => owner?.ownedCount() }),

    /** The background work of a worker that owns partitions. */
    createWork({ worker, evaluation, isAllowed }: PartitionWork): readonly Background[] {
      const group = createPartitionGroup({ ...needs, db, store, evaluation, clock, ids, log });
      owner = createPartitionOwner({
        ...needs,
        ...{ worker, prepare, store, group, evaluation, isAllowed, clock, log },
        sources: streams.sources,
        names: createNamesStore(db),
      });
      const counting = createPollingLoop({
        round: () => sources.flush(),
        waitMs: COUNTERS_MS,
        failure: "counts of sources not written",
        clock,
        log,
      });
      return [owner, counting, createFormerStream({ streams, claims, settlePending, clock, log })];
    },
  };
}
