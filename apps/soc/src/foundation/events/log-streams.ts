import type { EventStream, StreamSource } from "./event-stream.ts";

const PLACE = /^(.*):(\d+)$/;

/** Whether everything up to `end` is handled. A place consists of the birth of its stream and a growing number. */
export function hasReached(handled: string | undefined, end: string): boolean {
  const [, birth, number] = PLACE.exec(handled ?? "") ?? [];
  const [, endBirth, endNumber] = PLACE.exec(end) ?? [];
  return birth !== undefined && birth === endBirth && Number(number) >= Number(endNumber);
}

/** Returns how many messages of a stream come after a place; all of them if the place belongs to another stream. */
export function countAfter(handled: string | undefined, { messages, end }: StreamState): number {
  if (hasReached(handled, end)) return 0;
  const [, birth, number] = PLACE.exec(handled ?? "") ?? [];
  const [, endBirth, endNumber] = PLACE.exec(end) ?? [];
  return birth === endBirth ? Math.min(messages, Number(endNumber) - Number(number)) : messages;
}

export interface StreamState {
  /** Includes handled messages, which are kept for a while. */
  messages: number;
  /** The place of the newest message. */
  end: string;
}

/** One stream for each partition of the logs. */
export interface LogStreams {
  sources: readonly StreamSource[];
  /** The single stream that older releases used. */
  former: EventStream;
  /** The existing streams: those of the partitions and that of older releases. */
  list(): Promise<{ partitions: ReadonlyMap<number, StreamState>; former: StreamState | undefined }>;
  /** Deletes the messages of a partition up to a place of its stream. */
  deleteUpTo(partition: number, place: string): Promise<void>;
}
