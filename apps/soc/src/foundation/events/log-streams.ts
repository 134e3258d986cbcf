import type { EventStream, StreamSource } from "./event-stream.ts";

const PLACE = /^(.*):(\d+)$/;

/** Whether all up to `end` is handled: places of a stream are its birth and a number that grows. */
export function hasReached(handled: string | undefined, end: string): boolean {
  const [, birth, number] = PLACE.exec(handled ?? "") ?? [];
  const [, endBirth, endNumber] = PLACE.exec(end) ?? [];
  return birth !== undefined && birth === endBirth && Number(number) >= Number(endNumber);
}

/** One stream for each partition of the logs. */
export interface LogStreams {
  sources: readonly StreamSource[];
  /** The one stream of earlier releases. */
  former: EventStream;
  /** How many messages each existing stream holds: of a partition, and of earlier releases. */
  countMessages(): Promise<{ partitions: ReadonlyMap<number, number>; former: number | undefined }>;
}
