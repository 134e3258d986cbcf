import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { Refusal } from "../intake/pipeline/chunk.ts";

/** A batch or an event with a sender-defined name. */
export interface NewName {
  name: string;
  /** Only for a batch. */
  digest?: string;
}

export interface KnownName {
  name: string;
  digest: string | null;
  refused: Refusal[] | null;
}

/** Remembers sender-defined names for a day, to detect repeats. */
export type NamesStore = ReturnType<typeof createNamesStore>;

const SWEEP_BATCH_SIZE = 20_000;

export function createNamesStore(db: Db) {
  return {
    /** Stores the names of a group. Names of another group are not changed, but returned. */
    async claim(partition: number, group: number, names: readonly NewName[]): Promise<KnownName[]> {
      if (names.length === 0) return [];
      // Sorted, to avoid deadlocks.
      const rows = names.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      await sql`
        INSERT INTO log_names (partition, name, day, group_number, digest)
        SELECT ${partition}, name, current_date, ${group}, digest
        FROM unnest(${rows.map(({ name }) => name)}::uuid[], ${rows.map(({ digest }) => digest ?? null)}::text[])
          WITH ORDINALITY AS given (name, digest, place) ORDER BY place
        ON CONFLICT DO NOTHING`.execute(db);
      const { rows: known } = await sql<KnownName>`
        SELECT name, digest, refused FROM log_names
        WHERE partition = ${partition} AND name = ANY(${rows.map(({ name }) => name)}::uuid[])
          AND group_number <> ${group}`.execute(db);
      return known;
    },

    /** Records entries of batches that the log store refused. */
    async refuse(partition: number, refused: ReadonlyMap<string, readonly Refusal[]>): Promise<void> {
      if (refused.size === 0) return;
      const rows = [...refused].map(([name, those]) => ({ name, refused: those }));
      await sql`
        UPDATE log_names AS known SET refused = given.refused
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given (name uuid, refused jsonb)
        WHERE known.partition = ${partition} AND known.name = given.name`.execute(db);
    },

    /** The ones of these batches whose group is stored. */
    async findStored(partition: number, names: readonly string[]): Promise<KnownName[]> {
      if (names.length === 0) return [];
      const { rows } = await sql<KnownName>`
        SELECT name, digest, refused FROM log_names JOIN log_partitions USING (partition)
        WHERE partition = ${partition} AND name = ANY(${[...names]}::uuid[]) AND group_number < groups`.execute(db);
      return rows;
    },

    /** Deletes some names of earlier days; returns their number. */
    async sweep(partition: number): Promise<number> {
      const { numAffectedRows } = await sql`
        DELETE FROM log_names WHERE partition = ${partition} AND name IN (
          SELECT name FROM log_names WHERE partition = ${partition} AND day < current_date - 1
          LIMIT ${SWEEP_BATCH_SIZE}
        )`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  };
}
