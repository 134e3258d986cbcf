import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { Refusal } from "../intake/pipeline/chunk.ts";

/** A batch or an event that its sender has named. */
export interface NewName {
  name: string;
  /** Of a batch only. */
  digest?: string;
}

export interface KnownName {
  name: string;
  digest: string | null;
  refused: Refusal[] | null;
}

/** Remembers what senders have named, for a day, to detect what they repeat. */
export interface NamesStore {
  /** Remembers the names of a group. Those that another group has are not changed, but returned. */
  claim(partition: number, group: number, names: readonly NewName[]): Promise<KnownName[]>;
  /** Records entries of batches that the log store has refused. */
  refuse(partition: number, refused: ReadonlyMap<string, readonly Refusal[]>): Promise<void>;
  /** The batches among these whose group is stored. */
  findStored(partition: number, names: readonly string[]): Promise<KnownName[]>;
  /** Forgets some names of earlier days; returns how many. */
  sweep(partition: number): Promise<number>;
}

const SWEEP_BATCH_SIZE = 20_000;

export function createNamesStore(db: Db): NamesStore {
  return {
    async claim(partition, group, names) {
      if (names.length === 0) return [];
      // In order, to avoid deadlocks.
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

    async refuse(partition, refused) {
      if (refused.size === 0) return;
      const rows = [...refused].map(([name, those]) => ({ name, refused: those }));
      await sql`
        UPDATE log_names AS known SET refused = given.refused
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given (name uuid, refused jsonb)
        WHERE known.partition = ${partition} AND known.name = given.name`.execute(db);
    },

    async findStored(partition, names) {
      if (names.length === 0) return [];
      const { rows } = await sql<KnownName>`
        SELECT name, digest, refused FROM log_names JOIN log_partitions USING (partition)
        WHERE partition = ${partition} AND name = ANY(${[...names]}::uuid[]) AND group_number < groups`.execute(db);
      return rows;
    },

    async sweep(partition) {
      const { numAffectedRows } = await sql`
        DELETE FROM log_names WHERE partition = ${partition} AND name IN (
          SELECT name FROM log_names WHERE partition = ${partition} AND day < current_date - 1
          LIMIT ${SWEEP_BATCH_SIZE}
        )`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  };
}
