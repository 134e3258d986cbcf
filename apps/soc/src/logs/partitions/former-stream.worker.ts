import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Consumption, Delivery, StreamEvent } from "../../foundation/events/event-stream.ts";
import type { LogStreams } from "../../foundation/events/log-streams.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { ClaimsStore } from "../intake/pipeline/claims.store.ts";
import { partitionFor } from "../intake/pipeline/partition-for.ts";
import { nameOrigin, readChunk } from "../intake/pipeline/stream-chunk.ts";

export interface FormerStreamDeps {
  streams: LogStreams;
  claims: Pick<ClaimsStore, "findBatches">;
  /** Determines the outcome of inserts of writers that have ended. */
  settlePending: () => Promise<void>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info" | "warn">;
}

const CONSUMER = "writer";
const EVENTS_BATCH_SIZE = 2000;
const LOOK_MS = 10_000;

/**
 * Moves the chunks that older releases published to a single stream into the partitions. Each chunk has a key that
 * identifies it in the records of its old writer and of its partition.
 */
export function createFormerStream({ streams, claims, settlePending, clock, log }: FormerStreamDeps) {
  const { sources, former } = streams;
  let consumption: Consumption | undefined;

  async function selectUnstored(events: readonly StreamEvent[]): Promise<StreamEvent[]> {
    const keys = new Map(events.map((event) => [event, readChunk(event)?.batch?.key]));
    const known = await claims.findBatches([...new Set([...keys.values()].flatMap((key) => key ?? []))]);
    if (known.some(({ is_stored }) => !is_stored)) {
      await settlePending();
      throw new Problem("unavailable", "a writer of the older release has not finished its insert yet");
    }
    const stored = new Set(known.map(({ key }) => key));
    return events.filter((event) => !stored.has(keys.get(event) ?? ""));
  }

  async function move({ events }: Delivery): Promise<void> {
    const byPartition = new Map<number, StreamEvent[]>();
    for (const event of await selectUnstored(events)) {
      const chunk = readChunk(event);
      // A message that is not a chunk becomes a dead letter in an arbitrary partition.
      const partition = chunk ? partitionFor(nameOrigin(chunk), sources.length) : 0;
      const known = byPartition.get(partition);
      if (known) known.push(event);
      else byPartition.set(partition, [event]);
    }
    await Promise.all([...byPartition].map(async ([partition, those]) => sources[partition]?.publish(those)));
    log.info({ chunks: events.length }, "chunks of the old stream moved to partitions");
  }

  async function look(): Promise<void> {
    if (consumption || (await streams.list()).former === undefined) return;
    consumption = former.consume({ name: CONSUMER, from: "first", most: EVENTS_BATCH_SIZE, handle: move });
  }

  const loop = createPollingLoop({ round: look, waitMs: LOOK_MS, failure: "former stream not read", clock, log });

  return {
    start: () => loop.start(),

    async close(): Promise<void> {
      await loop.close();
      await consumption?.close();
    },
  };
}
