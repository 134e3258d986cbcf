import type { EventStream, StreamSource } from "./event-stream.ts";

const PLACE = /^(.*):(\d+)$/;

/** Whether all up to `end` is handled: places of a stream are its birth and a number that grows. */
export function hasReached(handled: string | undefined, end: string): boolean {
  const [, birth, number] = PLACE.exec(handled ?? "") ?? [];
  const [, endBirth, endNumber] = PLACE.exec(end) ?? [];
  return birth !== undefined && birth === endBirth && Number(number) >= Number(endNumber);
}

/** How many messages of a stream come after a place; all of them if the place is none of this stream. */
export function countAfter(handled: string | undefined, { messages, end }: StreamState): number {
  if (hasReached(handled, end)) return 0;
  const [, birth, number] = PLACE.exec(handled ?? "") ?? [];
  const [, endBirth, endNumber] = PLACE.exec(end) ?? [];
  return birth === endBirth ? Math.min(messages, Number(endNumber) - Number(number)) : messages;
}

export interface StreamState {
  /** Handled ones stay for a while. */
  messages: number;
  /** The place of the newest message. */
  end: string;
}

/** One stream for each partition of the logs. */
export interface LogStreams {
  sources: readonly StreamSource[];
  /** The one stream of earlier releases. */
  former: EventStream;
  /** The existing streams: of partitions, and of earlier releases. */
  list(): Promise<{ partitions: ReadonlyMap<number, StreamState>; former: StreamState | undefined }>;
  /** Deletes the messages of a partition up to a place of its stream, and no later one. */
  deleteUpTo(partition: number, place: string): Promise<void>;
}
