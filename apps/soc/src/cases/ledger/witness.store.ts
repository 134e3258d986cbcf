import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    ledger_witnesses: WitnessRow;
  }
}

interface WitnessRow {
  witness: string;
  tree_size: number;
  alarm: string | null;
  alarmed_at: Date | null;
  checked_at: Date;
}

/** The result of a host's comparison of the ledger with its file. */
export interface Finding {
  /** Undefined if the database matches the file. An earlier alarm of this host stays. */
  alarm: string | undefined;
  /** Whether an operator accepted the database in the file of this host, which ends its earlier alarm. */
  isAccepted: boolean;
  at: Date;
}

/** The hosts that keep a checkpoint file. Each host writes only its own row. */
export interface WitnessStore {
  /** Returns how many entries the file of this host covered; 0 for a host without a file. */
  readSize(): Promise<number>;
  /** Returns the alarms of all hosts as one text; undefined if there is none. */
  record(finding: Finding): Promise<string | undefined>;
  writeSize(treeSize: number): Promise<void>;
}

/** A single host's alarm does not name the host. */
export const JOINED_ALARMS = sql<string | null>`
  (SELECT string_agg(CASE WHEN hosts > 1 THEN witness || ': ' || alarm ELSE alarm END, '; ' ORDER BY alarmed_at, witness)
  FROM (SELECT witness, alarm, alarmed_at, count(*) OVER () AS hosts FROM ledger_witnesses) AS each_host)`;

export function createWitnessStore(db: Db, witness: string): WitnessStore {
  return {
    async readSize() {
      const row = await db
        .selectFrom("ledger_witnesses")
        .select("tree_size")
        .where("witness", "=", witness)
        .executeTakeFirst();
      return row?.tree_size ?? 0;
    },

    async record({ alarm = null, isAccepted, at }) {
      await sql`
        INSERT INTO ledger_witnesses AS known (witness, tree_size, alarm, alarmed_at, checked_at)
        VALUES (${witness}, 0, ${alarm}, ${alarm && at}, ${at})
        ON CONFLICT (witness) DO UPDATE SET checked_at = excluded.checked_at,
          alarm = coalesce(excluded.alarm, CASE WHEN NOT ${isAccepted}::boolean THEN known.alarm END),
          alarmed_at = CASE WHEN ${isAccepted}::boolean THEN excluded.alarmed_at
            ELSE coalesce(known.alarmed_at, excluded.alarmed_at) END`.execute(db);
      const { rows } = await sql<{ alarms: string | null }>`SELECT ${JOINED_ALARMS} AS alarms`.execute(db);
      return rows[0]?.alarms ?? undefined;
    },

    async writeSize(treeSize) {
      await sql`UPDATE ledger_witnesses SET tree_size = ${treeSize} WHERE witness = ${witness}`.execute(db);
    },
  };
}
