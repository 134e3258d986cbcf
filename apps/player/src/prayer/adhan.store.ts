import Type from "typebox";
import type { Database } from "../storage/database.ts";
import type { Adhan } from "./adhan.ts";

export type AdhanStore = ReturnType<typeof createAdhanStore>;
export type AdhanName = Pick<Adhan, "prayer" | "date">;
export interface FiredAdhan extends AdhanName {
  /** Epoch seconds by the clock at that time; 0 if an earlier version recorded it. */
  fired_at: number;
}

// More than a year, and large enough that entries of a temporarily wrong clock do not displace the real ones.
const MAX_FIRED = 2500;
const Row = Type.Object({
  prayer: Type.Enum(["fajr", "dhuhr", "asr", "maghrib", "isha"]),
  date: Type.String(),
  fired_at: Type.Integer(),
});

/** Which prayers of which dates were called, and when. */
export function createAdhanStore(database: Database) {
  const selectAll = database.query(Row, "SELECT date, prayer, fired_at FROM fired_adhans");
  const replace = database.command("REPLACE INTO fired_adhans (date, prayer, fired_at) VALUES (?, ?, ?)");
  const remove = database.command("DELETE FROM fired_adhans WHERE date = ? AND prayer = ?");
  const forgetOldest = database.command(
    "DELETE FROM fired_adhans WHERE id <= (SELECT id FROM fired_adhans ORDER BY id DESC LIMIT 1 OFFSET ?)",
  );
  return {
    list(): FiredAdhan[] {
      return selectAll.all();
    },

    remove({ date, prayer }: AdhanName): void {
      remove(date, prayer);
    },

    add({ date, prayer, fired_at }: FiredAdhan): void {
      database.inTransaction(() => {
        replace(date, prayer, fired_at);
        forgetOldest(MAX_FIRED);
      });
    },
  };
}
