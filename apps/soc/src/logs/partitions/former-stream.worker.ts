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
  /** Finds out about inserts of writers that have ended. */
  settlePending: () => Promise<void>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info" | "warn">;
}

const CONSUMER = "writer";
const EVENTS_BATCH_SIZE = 2000;
const LOOK_MS = 10_000;

/**
 * Moves what earlier releases have published to one stream into the partitions. Each chunk there has a key, by which its
 * writer has remembered it, and by which its partition does.
 */
export function createFormerStream({ streams, claims, settlePending, clock, log }: FormerStreamDeps) {
  const { sources, former } = streams;
  let consumption: Consumption | undefined;

  async function selectUnstored(events: readonly StreamEvent[]): Promise<StreamEvent[]> {
    const keys = new Map(events.map((event) => [event, readChunk(event)?.batch?.key]));
    const known = await claims.findBatches([...new Set([...keys.values()].flatMap((key) => key ?? []))]);
    if (known.some(({ is_stored }) => !is_stored)) {
      await settlePending();
      throw new Problem("unavailable", "a writer of the former release has not ended its insert yet");
    }
    const stored = new Set(known.map(({ key }) => key));
    return events.filter((event) => !stored.has(keys.get(event) ?? ""));
  }

  async function move({ events }: Delivery): Promise<void> {
    const byPartition = new Map<number, StreamEvent[]>();
    for (const event of await selectUnstored(events)) {
      const chunk = readChunk(event);
      // What is not a chunk becomes a dead letter, in any partition.
      const partition = chunk ? partitionFor(nameOrigin(chunk), sources.length) : 0;
      const known = byPartition.get(partition);
      if (known) known.push(event);
      else byPartition.set(partition, [event]);
    }
    await Promise.all([...byPartition].map(async ([partition, those]) => sources[partition]?.publish(those)));
    log.info({ chunks: events.length }, "chunks of the former stream moved to partitions");
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
