import type { Chunk, Entry, Refusal } from "./chunk.ts";

export interface Stored {
  refused: readonly Refusal[];
  /** The entries that this call stored; the others were stored before or are refused. */
  entries: readonly Entry[];
}

/** The log store refused the insert because of a row, so nothing of it is stored. */
export interface Rejected {
  /** Undefined when the store did not name the row. */
  badEntry: Entry | undefined;
  reason: string;
}

/** An error says nothing about the rows: the same chunk may be stored later. */
export type Outcome = Stored | Rejected | Error;

/** The outcome of each chunk of a group. */
export type Outcomes = Map<Chunk, Outcome>;

export function isRejected(outcome: Outcome): outcome is Rejected {
  return "badEntry" in outcome;
}
