import type { Base } from "../base.ts";
import type { Consumption, StreamSource } from "./event-stream.ts";
import { createEventStream } from "./event-stream-on-source.ts";
import type { LogStreams, StreamState } from "./log-streams.ts";
import { createOutboxSource } from "./outbox-stream.store.ts";
import { moveOutbox } from "./outbox-stream.worker.ts";

export interface StreamOptions {
  name: string;
  subject?: string;
  isDeletedWhenHandled: boolean;
  maxBytes: number;
  maxInFlight?: number;
  isPacked?: boolean;
}

/** The servers of the streams between machines. */
export interface StreamServers {
  openSource(options: StreamOptions): StreamSource;
  /** The streams whose names match. */
  listStreams(subjects: string): Promise<ReadonlyMap<string, StreamState>>;
  /** Deletes the messages of a stream up to one of its places. */
  deleteUpTo(name: string, place: string): Promise<void>;
  close(): Promise<void>;
}

export interface StreamsNeeds {
  /** Undefined on a single machine, where the outbox is enough. */
  servers: StreamServers | undefined;
  /** The maximum total size of the waiting logs of all partitions. */
  logBytes: number;
  partitions: number;
}

export interface Streams {
  /** The streams that carry logs from the intake to the owners of partitions. */
  logs: LogStreams;
  /** The stream that carries the events of the outbox to all machines. */
  events: Pick<StreamSource, "last" | "readAfter">;
  /** Starts to copy the outbox to the stream that other machines read. */
  start(): void;
  /** Call it after the intake and its writer have closed. */
  close(): Promise<void>;
}

const EVENT_BYTES = 256 * 1024 ** 2;
const MIN_PARTITION_BYTES = 16 * 1024 ** 2;
const FORMER = "soc-logs";
const PARTITION = /^soc-logs-(\d+)$/;
/** How many messages of a partition may wait for their acknowledgement concurrently. */
const MAX_IN_FLIGHT = 4;

/**
 * Creates the streams between machines; undefined on a single machine, where the outbox is enough. Opens no connection
 * yet.
 */
export function createStreams({ db, runtime, clock, log }: Base, needs: StreamsNeeds): Streams | undefined {
  const { servers } = needs;
  if (!servers) return undefined;
  const streamOn = (source: StreamSource) => createEventStream({ source, db, runtime, clock, log });
  const sources = openPartitions(servers, needs);
  const former = streamOn(servers.openSource({ name: FORMER, isDeletedWhenHandled: true, maxBytes: needs.logBytes }));
  const eventSource = servers.openSource({ name: "soc-events", isDeletedWhenHandled: false, maxBytes: EVENT_BYTES });
  const events = streamOn(eventSource);
  const outbox = streamOn(createOutboxSource({ db, clock }));
  let moving: Consumption | undefined;
  return {
    logs: {
      sources,
      former,
      list: () => listLogStreams(servers),
      deleteUpTo: (partition, place) => servers.deleteUpTo(formatStreamName(partition), place),
    },
    events: eventSource,

    start() {
      moving ??= moveOutbox({ outbox, target: events, clock });
    },

    async close() {
      await former.close();
      await Promise.all(sources.map((source) => source.close()));
      // Close the consumer before its target, so that the batch in progress still arrives.
      await moving?.close();
      await outbox.close();
      await events.close();
      await servers.close();
    },
  };
}

function openPartitions(servers: StreamServers, { partitions, logBytes }: StreamsNeeds): StreamSource[] {
  const maxBytes = Math.max(MIN_PARTITION_BYTES, Math.floor(logBytes / partitions));
  return Array.from({ length: partitions }, (_, partition) =>
    servers.openSource({
      name: formatStreamName(partition),
      subject: `soc-logs.${partition}`,
      isDeletedWhenHandled: true,
      maxBytes,
      maxInFlight: MAX_IN_FLIGHT,
      isPacked: true,
    }),
  );
}

const formatStreamName = (partition: number) => `soc-logs-${partition}`;

async function listLogStreams(servers: StreamServers) {
  const streams = await servers.listStreams("soc-logs.*");
  const partitions = new Map<number, StreamState>();
  for (const [name, state] of streams) {
    const [, digits] = PARTITION.exec(name) ?? [];
    if (digits !== undefined) partitions.set(Number(digits), state);
  }
  return { partitions, former: streams.get(FORMER) };
}
