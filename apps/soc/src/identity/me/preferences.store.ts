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

export interface PreferencesStore {
  /** Undefined for a user who has stored none. */
  find(username: string): Promise<Preferences | undefined>;
}

export function createPreferencesStore(db: Db): PreferencesStore {
  return {
    async find(username) {
      const found = await db
        .selectFrom("user_preferences")
        .select("preferences")
        .where("username", "=", username)
        .executeTakeFirst();
      return found?.preferences;
    },
  };
}

export interface PreferencesWriter {
  /** Replaces the preferences of the user by a JSON text. */
  replace(username: string, preferences: string, updated_at: Date): Promise<void>;
}

export function createPreferencesWriter(tx: Db): PreferencesWriter {
  return {
    async replace(username, preferences, updated_at) {
      await tx
        .insertInto("user_preferences")
        .values({ username, preferences, updated_at })
        .onConflict((known) => known.column("username").doUpdateSet({ preferences, updated_at }))
        .execute();
    },
  };
}
