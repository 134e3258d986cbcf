import Type from "typebox";
import type { Database } from "../storage/database.ts";

export type ResetStore = ReturnType<typeof createResetStore>;

const Table = Type.Object({ name: Type.String() });
/** The record of a firmware update stays, because a slot on trial must be confirmed in spite of a reset. */
const SPARED = "ota_update";

/** The only store that knows every table: it empties them. */
export function createResetStore(database: Database) {
  const selectTables = database.query(Table, "SELECT name FROM sqlite_schema WHERE type = 'table'");

  function empty(table: string): void {
    database.command(`DELETE FROM "${table}"`)();
  }

  return {
    /** Erases everything, or nothing when the write fails. Erased data cannot be recovered from the file. */
    eraseAll(): void {
      database.command("PRAGMA secure_delete = ON")();
      database.inTransaction(() => {
        for (const { name } of selectTables.all()) if (name !== SPARED) empty(name);
      });
      database.command("PRAGMA wal_checkpoint(TRUNCATE)")();
    },
  };
}
