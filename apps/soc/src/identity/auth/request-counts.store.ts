import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { Counters } from "./counters.ts";

/**
 * Fixed windows on the clock of the database, which all processes share. One atomic statement counts, so no request is
 * lost.
 */
export function createRequestCountsStore(db: Db): Counters {
  async function deleteEndedBatch(): Promise<void> {
    await sql`
      DELETE FROM request_counts WHERE (budget, client) IN (
        SELECT budget, client FROM request_counts WHERE ends_at < now() LIMIT 100 FOR UPDATE SKIP LOCKED
      )`.execute(db);
  }

  return {
    async take({ name, limit, windowMs }, client) {
      // limit + 1 means "full, and at least one request was refused"; further refusals are not counted.
      const { rows } = await sql<{ count: number; wait_ms: number }>`
        INSERT INTO request_counts AS counted (budget, client, count, ends_at)
        VALUES (${name}, ${client}, 1, now() + make_interval(secs => ${windowMs / 1000}))
        ON CONFLICT (budget, client) DO UPDATE SET
          count = CASE WHEN counted.ends_at <= now() THEN 1 ELSE least(counted.count, ${limit}) + 1 END,
          ends_at = CASE WHEN counted.ends_at <= now() THEN excluded.ends_at ELSE counted.ends_at END
        RETURNING count, extract(epoch FROM ends_at - now())::float8 * 1000 AS wait_ms`.execute(db);
      const [{ count, wait_ms } = { count: 0, wait_ms: 0 }] = rows;
      if (count === 1) await deleteEndedBatch();
      return count > limit ? Math.max(wait_ms, 1) : 0;
    },

    async giveBack({ name, limit }, client) {
      await sql`
        UPDATE request_counts SET count = greatest(least(count, ${limit}) - 1, 0)
        WHERE budget = ${name} AND client = ${client}`.execute(db);
    },
  };
}
