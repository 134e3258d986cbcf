import { type Kysely, sql } from "kysely";
import type { Db, Tables } from "../../../foundation/database/tables.ts";
import type { SourceSettings } from "./source-settings.schema.ts";

interface SettingsRow extends SourceSettings {
  updated_by: string;
  updated_at: Date;
}

declare module "../../../foundation/database/tables.ts" {
  interface Tables {
    log_source_settings: SettingsRow;
  }
}

export type SourceSettingsStore = ReturnType<typeof createSourceSettingsStore>;

export function createSourceSettingsStore(db: Kysely<Tables>) {
  return {
    /** The settings that differ from the default. */
    all: (): Promise<SourceSettings[]> =>
      db.selectFrom("log_source_settings").select(["source", "watch", "timezone"]).execute(),
  };
}

// A key that no other transaction-level advisory lock uses.
const SETTINGS_LOCK = 7_315_040;

export function createSourceSettingsWriter(tx: Db) {
  return {
    /** The settings of the source, and the number of sources with settings. Serialises changes. */
    async lock(source: string): Promise<{ current: SourceSettings | undefined; count: number }> {
      await sql`SELECT pg_advisory_xact_lock(${SETTINGS_LOCK})`.execute(tx);
      const current = await tx
        .selectFrom("log_source_settings")
        .select(["source", "watch", "timezone"])
        .where("source", "=", source)
        .executeTakeFirst();
      const { count } = await tx
        .selectFrom("log_source_settings")
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .executeTakeFirstOrThrow();
      return { current, count: Number(count) };
    },

    async put({ source, ...fields }: SettingsRow): Promise<void> {
      await tx
        .insertInto("log_source_settings")
        .values({ source, ...fields })
        .onConflict((conflict) => conflict.column("source").doUpdateSet(fields))
        .execute();
    },

    async remove(source: string): Promise<void> {
      await tx.deleteFrom("log_source_settings").where("source", "=", source).execute();
    },
  };
}
