import Type from "typebox";
import type { Database } from "../storage/database.ts";

export type SettingsStore = ReturnType<typeof createSettingsStore>;

const Row = Type.Object({ value: Type.String() });

/** Each setting is one row: its name and its value as JSON. */
export function createSettingsStore(database: Database) {
  const select = database.query(Row, "SELECT value FROM settings WHERE name = ?");
  const replace = database.command("REPLACE INTO settings (name, value) VALUES (?, ?)");
  const remove = database.command("DELETE FROM settings WHERE name = ?");

  function write(values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values)) replace(name, JSON.stringify(value));
  }

  return {
    /** The stored text; the caller must validate it. */
    find(name: string): string | undefined {
      return select.first(name)?.value;
    },

    /** Saves all of the values, or none of them. */
    save(values: Readonly<Record<string, unknown>>): void {
      database.inTransaction(() => write(values));
    },

    /** Saves the given values, and removes the other names of the list. Call it inside a transaction. */
    replaceAll(names: readonly string[], values: Readonly<Record<string, unknown>>): void {
      for (const name of names) remove(name);
      write(values);
    },
  };
}
