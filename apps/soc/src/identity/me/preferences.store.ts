import type { ColumnType } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { Preferences } from "./me.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    user_preferences: {
      username: string;
      preferences: ColumnType<Preferences, string, string>;
      updated_at: Date;
    };
  }
}

export type PreferencesStore = ReturnType<typeof createPreferencesStore>;

export function createPreferencesStore(db: Db) {
  return {
    /** Undefined for a user without stored preferences. */
    async find(username: string): Promise<Preferences | undefined> {
      const found = await db
        .selectFrom("user_preferences")
        .select("preferences")
        .where("username", "=", username)
        .executeTakeFirst();
      return found?.preferences;
    },
  };
}

export function createPreferencesWriter(tx: Db) {
  return {
    /** Replaces the preferences of the user with a JSON text. */
    async replace(username: string, preferences: string, updated_at: Date): Promise<void> {
      await tx
        .insertInto("user_preferences")
        .values({ username, preferences, updated_at })
        .onConflict((known) => known.column("username").doUpdateSet({ preferences, updated_at }))
        .execute();
    },
  };
}
