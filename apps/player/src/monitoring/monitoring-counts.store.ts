import Type from "typebox";
import type { Database } from "../storage/database.ts";

const Row = Type.Object({ count: Type.Integer(), last_at: Type.Union([Type.Integer(), Type.Null()]) });

/** Numbers that outlive the rows they count. */
export function createMonitoringCountsStore(database: Database) {
  const select = database.query(Row, "SELECT count, last_at FROM monitoring_counts WHERE name = ?");
  const add = database.command(
    `INSERT INTO monitoring_counts (name, count, last_at) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at`,
  );
  return {
    read: (name: string): { count: number; last_at: number | null } =>
      select.first(name) ?? { count: 0, last_at: null },

    add(name: string, count: number, lastAt: number | null): void {
      if (count > 0) add(name, count, lastAt);
    },
  };
}
