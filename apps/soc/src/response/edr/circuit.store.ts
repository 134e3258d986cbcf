import type { Generated } from "kysely";
import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { type Circuit, halfOpenAt, OPENS_AFTER, PROBE_MS, stateOf } from "./circuit.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    edr_circuit: Circuit & { is_only: Generated<boolean> };
  }
}

/** The circuit breaker's state, shared by all processes. */
export interface CircuitStore {
  read(): Promise<Circuit>;
  /** Undefined when the adapter may be called now, else the end of the wait. Half open, one caller may probe. */
  findOpenUntil(now: Date): Promise<Date | undefined>;
  succeeded(): Promise<void>;
  failed(now: Date): Promise<void>;
}

export function createCircuitStore(db: Db): CircuitStore {
  const read = () =>
    db.selectFrom("edr_circuit").select(["failures", "opened_at", "probe_until"]).executeTakeFirstOrThrow();

  return {
    read,

    async findOpenUntil(now) {
      const circuit = await read();
      if (circuit.opened_at === null) return undefined;
      if (stateOf(circuit, now) === "open") return halfOpenAt(circuit.opened_at);
      const probe_until = new Date(now.getTime() + PROBE_MS);
      const { numUpdatedRows } = await db
        .updateTable("edr_circuit")
        .set({ probe_until })
        // The probe of another process may have failed since this read.
        .where("opened_at", "=", circuit.opened_at)
        .where((row) => row.or([row("probe_until", "is", null), row("probe_until", "<=", now)]))
        .executeTakeFirst();
      return numUpdatedRows === 1n ? undefined : probe_until;
    },

    async succeeded() {
      await db
        .updateTable("edr_circuit")
        .set({ failures: 0, opened_at: null, probe_until: null })
        .where("failures", ">", 0)
        .execute();
    },

    async failed(now) {
      await db
        .updateTable("edr_circuit")
        .set({
          failures: sql`failures + 1`,
          opened_at: sql`CASE WHEN failures + 1 >= ${sql.lit(OPENS_AFTER)} THEN ${now}::timestamptz ELSE opened_at END`,
          probe_until: null,
        })
        .execute();
    },
  };
}
