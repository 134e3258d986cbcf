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
export type CircuitStore = ReturnType<typeof createCircuitStore>;

export function createCircuitStore(db: Db) {
  const read = () =>
    db.selectFrom("edr_circuit").select(["failures", "opened_at", "probe_until"]).executeTakeFirstOrThrow();

  return {
    read,

    /**
     * Returns the end of the wait; undefined if the adapter may be called now. In the half-open state, one caller may
     * probe.
     */
    async findOpenUntil(now: Date): Promise<Date | undefined> {
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

    async succeeded(): Promise<void> {
      await db
        .updateTable("edr_circuit")
        .set({ failures: 0, opened_at: null, probe_until: null })
        .where("failures", ">", 0)
        .execute();
    },

    async failed(now: Date): Promise<void> {
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
