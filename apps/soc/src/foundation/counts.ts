import type { Db } from "./database/tables.ts";
import type { Showcase } from "./showcase/showcase.ts";

/** A number that a feature knows of its own records and that the statistics show. */
export interface Count<Value> {
  /** In the given transaction, so that all counts are of one instant. */
  stored(tx: Db, now: Date): Promise<Value>;
  shown(showcase: Showcase, now: Date): Value;
}
