import { type Expression, type QueryExecutorProvider, sql } from "kysely";

const EXACT_UP_TO = 10_000;

/** How many rows a query has: exactly while that is cheap to know, beyond that as the planner guesses. */
export async function totalOf(
  db: QueryExecutorProvider,
  rows: Expression<unknown>,
): Promise<{ total: number; total_is_estimate?: boolean }> {
  const counted = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM (SELECT FROM (${rows}) AS all_rows LIMIT ${EXACT_UP_TO + 1}) AS some_rows`.execute(
    db,
  );
  const total = counted.rows[0]?.total ?? 0;
  if (total <= EXACT_UP_TO) return { total };
  const explained = await sql<{
    "QUERY PLAN": [{ Plan: { "Plan Rows": number } }];
  }>`EXPLAIN (FORMAT JSON) ${rows}`.execute(db);
  const guessed = explained.rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? total;
  return { total: Math.max(total, Math.round(guessed)), total_is_estimate: true };
}
