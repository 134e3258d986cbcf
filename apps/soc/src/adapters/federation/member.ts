import type { LogLane, LogPlace, LogReads, LogSearch, LogSource, LogStore } from "../../ports/log-store.ts";
import type { StoreCounts } from "./store-counts.ts";

/** What a federation asks of each of its stores beside the reads of the port. */
export interface MemberReads extends LogReads {
  /** The places of the logs that the search skips and answers, in order. */
  places(search: LogSearch, signal?: AbortSignal): Promise<LogPlace[]>;
  counts(now: Date): Promise<StoreCounts>;
  /** All sources, but for those beyond a very high number. */
  everySource(): Promise<LogSource[]>;
}

export interface MemberStore extends LogStore, MemberReads {
  lane(lane: LogLane): MemberReads;
}

/** A store in one lane. */
export interface Member {
  /** In answers and messages. */
  name: string;
  store: MemberReads;
  /** Whether the store says soon that it is there. */
  answers: () => Promise<boolean>;
}
