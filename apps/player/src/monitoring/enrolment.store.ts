import Type from "typebox";
import type { Database } from "../storage/database.ts";
import type { Enrolment } from "./enrolment.ts";

export type EnrolmentStore = ReturnType<typeof createEnrolmentStore>;

const Row = Type.Object({
  address: Type.String(),
  device_id: Type.String(),
  authority: Type.String(),
  certificate: Type.String(),
  issued_at: Type.Integer(),
  not_after: Type.Integer(),
  broker: Type.Union([Type.String(), Type.Null()]),
  key_name: Type.String(),
  attested_at: Type.Union([Type.Integer(), Type.Null()]),
  is_refused: Type.Integer(),
});
/** Everything that belongs to an enrolment. */
const TABLES = ["enrolment", "events", "requests", "sent", "counts"] as const;

/** One row: the platform at which the device is enrolled. */
export function createEnrolmentStore(database: Database) {
  const select = database.queryRecords(
    Row,
    `SELECT address, device_id, authority, certificate, issued_at, not_after, broker, key_name, attested_at, is_refused
     FROM monitoring_enrolment WHERE id = 1`,
    (row): Enrolment => ({ ...row, is_refused: row.is_refused === 1 }),
  );
  const replace = database.command(
    `REPLACE INTO monitoring_enrolment
     (id, address, device_id, authority, certificate, issued_at, not_after, broker, key_name, attested_at, is_refused)
     VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const clear = TABLES.map((name) => database.command(`DELETE FROM monitoring_${name}`));
  return {
    find: (): Enrolment | undefined => select.first(),

    save(enrolment: Enrolment): void {
      const { address, device_id, authority, certificate, issued_at, not_after } = enrolment;
      const { broker, key_name, attested_at, is_refused } = enrolment;
      const known = [address, device_id, authority, certificate, issued_at, not_after] as const;
      replace(...known, broker, key_name, attested_at, is_refused ? 1 : 0);
    },

    /** Removes the enrolment, its queue, its requests and its record of what was sent; all of it or nothing. */
    clear(): void {
      database.inTransaction(() => {
        for (const empty of clear) empty();
      });
    },
  };
}
