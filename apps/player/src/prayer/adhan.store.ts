import Type from "typebox";
import type { Database } from "../storage/database.ts";
import type { Adhan } from "./adhan.ts";

export type AdhanStore = ReturnType<typeof createAdhanStore>;
export type FiredAdhan = Pick<Adhan, "prayer" | "date">;

// More than a year, and large enough that entries of a temporarily wrong clock do not displace the real ones.
const MAX_FIRED = 2500;
const Row = Type.Object({
  prayer: Type.Enum(["fajr", "dhuhr", "asr", "maghrib", "isha"]),
  date: Type.String(),
});

/** Which prayers of which dates were called, so that a clock that is set back does not repeat them. */
export function createAdhanStore(database: Database) {
  const selectAll = database.query(Row, "SELECT date, prayer FROM fired_adhans");
  const insert = database.command("INSERT OR IGNORE INTO fired_adhans (date, prayer) VALUES (?, ?)");
  const forgetOldest = database.command(
    "DELETE FROM fired_adhans WHERE id <= (SELECT id FROM fired_adhans ORDER BY id DESC LIMIT 1 OFFSET ?)",
  );
  return {
    list(): FiredAdhan[] {
      return selectAll.all();
    },

    add({ date, prayer }: FiredAdhan): void {
      database.inTransaction(() => {
        insert(date, prayer);
        forgetOldest(MAX_FIRED);
      });
    },
  };
}
