import Type from "typebox";
import type { Database } from "../storage/database.ts";

export type HifzDaysStore = ReturnType<typeof createHifzDaysStore>;

const MAX_DAYS = 400;
const Row = Type.Object({ count: Type.Integer() });

/** The number of repetitions that were played to their end on each local date (YYYY-MM-DD). */
export function createHifzDaysStore(database: Database) {
  const select = database.query(Row, "SELECT count FROM hifz_days WHERE date = ?");
  const increment = database.command(
    "INSERT INTO hifz_days (date, count) VALUES (?, 1) ON CONFLICT (date) DO UPDATE SET count = count + 1",
  );
  const forgetOldest = database.command(
    "DELETE FROM hifz_days WHERE date <= (SELECT date FROM hifz_days ORDER BY date DESC LIMIT 1 OFFSET ?)",
  );
  return {
    count(date: string): number {
      return select.first(date)?.count ?? 0;
    },

    add(date: string): void {
      database.inTransaction(() => {
        increment(date);
        forgetOldest(MAX_DAYS);
      });
    },
  };
}
