import type { EventStream, StreamSource } from "./event-stream.ts";

/** One stream for each partition of the logs. */
export interface LogStreams {
  sources: readonly StreamSource[];
  /** The one stream of earlier releases. */
  former: EventStream;
  /** How many messages each existing stream holds: of a partition, and of earlier releases. */
  countMessages(): Promise<{ partitions: ReadonlyMap<number, number>; former: number | undefined }>;
}
