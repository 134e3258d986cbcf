import { sql } from "kysely";
import type { Db } from "../database/tables.ts";
import { numberEvents } from "./event-places.ts";

export interface EventHorizonStore {
  /**
   * Age in seconds of the oldest change whose event no reader can see yet, because its transaction is still open or its
   * event could not be numbered by this call. 0 if there is none.
   */
  readAge(): Promise<number>;
  /** The number of events in the outbox, computed from their places without counting rows. */
  countHeld(): Promise<number>;
}

export function createEventHorizonStore(db: Db): EventHorizonStore {
  return {
    async readAge() {
      await numberEvents(db);
      const { rows } = await sql<{ age_s: number }>`
        SELECT greatest(extract(epoch FROM clock_timestamp() - least(
          (SELECT min(at) FROM outbox WHERE place IS NULL), oldest_writer('outbox'::regclass)
        )), 0)::float8 AS age_s`.execute(db);
      return rows[0]?.age_s ?? 0;
    },

    async countHeld() {
      const { rows } = await sql<{ held: number }>`
        SELECT greatest((SELECT max(place) FROM outbox) - place, 0)::float8 AS held FROM outbox_swept`.execute(db);
      return rows[0]?.held ?? 0;
    },
  };
}
