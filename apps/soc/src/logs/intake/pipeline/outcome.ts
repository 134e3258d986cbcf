import type { Chunk, Entry, Refusal } from "./chunk.ts";

export interface StoredOutcome {
  refused: readonly Refusal[];
  /** The entries that this call stored; the others were already stored or are refused. */
  entries: readonly Entry[];
}

/** The log store refused the insert because of a row, so none of it is stored. */
export interface RejectedOutcome {
  /** Undefined if the store did not name the row. */
  badEntry: Entry | undefined;
  reason: string;
}

/** An Error says nothing about the rows: the same chunk may be stored later. */
export type Outcome = StoredOutcome | RejectedOutcome | Error;

/** The outcome of each chunk of a group. */
export type Outcomes = Map<Chunk, Outcome>;

export function isRejected(outcome: Outcome): outcome is RejectedOutcome {
  return "badEntry" in outcome;
}
