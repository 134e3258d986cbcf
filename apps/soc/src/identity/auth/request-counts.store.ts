import type { Clock } from "@kit/clock";
import type { Budget } from "@kit/http/limits";
import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { Counters, CountResult } from "./counters.ts";
import { createLeasedCounts, type LeaseResult } from "./leased-counts.ts";

/**
 * Fixed windows on the database clock, which all processes share. A single atomic statement counts, so no request is
 * lost.
 */
export function createRequestCountsStore(db: Db, clock: Pick<Clock, "monotonicMs">): Counters {
  async function deleteEndedBatch(): Promise<void> {
    await sql`
      DELETE FROM request_counts WHERE (budget, client) IN (
        SELECT budget, client FROM request_counts WHERE ends_at < now() LIMIT 100 FOR UPDATE SKIP LOCKED
      )`.execute(db);
  }

  async function lease({ name, limit, windowMs }: Budget, client: string, most: number): Promise<LeaseResult> {
    // Above the limit means "full, and at least one request was refused"; further refusals are not counted.
    const { rows } = await sql<{ counted: number; reset_ms: number }>`
      INSERT INTO request_counts AS counted (budget, client, count, ends_at)
      VALUES (${name}, ${client}, ${most}, now() + make_interval(secs => ${windowMs / 1000}))
      ON CONFLICT (budget, client) DO UPDATE SET
        count = CASE WHEN counted.ends_at <= now() THEN 0 ELSE least(counted.count, ${limit}) END + ${most},
        ends_at = CASE WHEN counted.ends_at <= now() THEN excluded.ends_at ELSE counted.ends_at END
      RETURNING count AS counted, extract(epoch FROM ends_at - now())::float8 * 1000 AS reset_ms`.execute(db);
    const [{ counted, reset_ms } = { counted: 0, reset_ms: 0 }] = rows;
    if (counted === most) await deleteEndedBatch();
    const granted = Math.min(Math.max(limit + most - counted, 0), most);
    return { granted, remaining: Math.max(limit - counted, 0), resetMs: Math.max(reset_ms, 1) };
  }

  async function count(budget: Budget, client: string): Promise<CountResult> {
    const { granted, remaining, resetMs } = await lease(budget, client, 1);
    return { waitMs: granted === 0 ? resetMs : 0, remaining, resetMs };
  }

  return {
    count,

    countInPortions: createLeasedCounts({ lease, clock }),

    take: async (budget, client) => (await count(budget, client)).waitMs,

    async left(budgets, client) {
      const names = budgets.map(({ name }) => name);
      const { rows } = await sql<{ budget: string; counted: number; reset_ms: number }>`
        SELECT budget, count AS counted, extract(epoch FROM ends_at - now())::float8 * 1000 AS reset_ms
        FROM request_counts WHERE budget = ANY(${names}) AND client = ${client} AND ends_at > now()`.execute(db);
      return budgets.map(({ name, limit, windowMs }) => {
        const open = rows.find(({ budget }) => budget === name);
        if (!open) return { remaining: limit, resetMs: windowMs };
        return { remaining: Math.max(limit - open.counted, 0), resetMs: open.reset_ms };
      });
    },

    async giveBack({ name, limit }, client) {
      await sql`
        UPDATE request_counts SET count = greatest(least(count, ${limit}) - 1, 0)
        WHERE budget = ${name} AND client = ${client}`.execute(db);
    },
  };
}
