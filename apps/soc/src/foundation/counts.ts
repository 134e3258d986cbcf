import type { Db } from "./database/tables.ts";
import type { Showcase } from "./showcase/showcase.ts";

/** A number that a feature counts over its own records and that the statistics show. */
export interface Count<Value> {
  /** Counts in the given transaction, so that all counts belong to one snapshot. */
  stored(tx: Db, now: Date): Promise<Value>;
  shown(showcase: Showcase, now: Date): Value;
}
