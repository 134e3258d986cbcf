import { type Expression, type QueryExecutorProvider, sql } from "kysely";

export const EXACT_UP_TO = 10_000;

export interface Total {
  total: number;
  total_is_estimate?: boolean;
}

/** How many rows a query returns: exact while counting is cheap, above that the planner's estimate. */
export async function countTotal(db: QueryExecutorProvider, rows: Expression<unknown>): Promise<Total> {
  const total = await countUpTo(db, rows, EXACT_UP_TO + 1);
  return total <= EXACT_UP_TO ? { total } : guessTotal(db, { rows, share: 1 }, total);
}

/** How many rows a query returns, or the given maximum when it returns more. */
export async function countUpTo(db: QueryExecutorProvider, rows: Expression<unknown>, limit: number): Promise<number> {
  const counted = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM (SELECT FROM (${rows}) AS all_rows LIMIT ${limit}) AS some_rows`.execute(db);
  return counted.rows[0]?.total ?? 0;
}

/** The planner's estimate, multiplied by the share, but not less than the rows already seen. */
export async function guessTotal(
  db: QueryExecutorProvider,
  { rows, share }: { rows: Expression<unknown>; share: number },
  seen: number,
): Promise<Total> {
  const explained = await sql<{
    "QUERY PLAN": [{ Plan: { "Plan Rows": number } }];
  }>`EXPLAIN (FORMAT JSON) ${rows}`.execute(db);
  const guessed = explained.rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? seen;
  return { total: Math.max(seen, Math.round(guessed * share)), total_is_estimate: true };
}
