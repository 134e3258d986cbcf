import type { LogLane, LogPlace, LogReads, LogSearch, LogSource, LogStore } from "../../ports/log-store.ts";
import type { StoreCounts } from "./store-counts.ts";

/** The reads that a federation needs from each of its stores in addition to those of the port. */
export interface MemberReads extends LogReads {
  /** The places of the logs that the search skips and returns, in order. */
  places(search: LogSearch, signal?: AbortSignal): Promise<LogPlace[]>;
  counts(now: Date): Promise<StoreCounts>;
  /** All sources, up to a very high number. */
  everySource(): Promise<LogSource[]>;
}

export interface MemberStore extends LogStore, MemberReads {
  lane(lane: LogLane): MemberReads;
}

/** A store in one lane. */
export interface Member {
  /** The name in responses and messages. */
  name: string;
  store: MemberReads;
  /** Whether the store responds to a ping soon. */
  answers: () => Promise<boolean>;
}
