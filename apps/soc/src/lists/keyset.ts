import { type Expression, type QueryExecutorProvider, sql } from "kysely";
import type { PageQuery } from "./lists.schema.ts";
import { type Order, placeAfter, placeOf } from "./order.ts";
import { DEFAULT_LIMIT, type Page, toPage } from "./page.ts";
import { totalOf } from "./total.ts";

/** One page of the rows that a query selects. A cursor reads on from a place, however many rows lie before it. */
export async function readPage<Row>(
  db: QueryExecutorProvider,
  selected: Expression<Row>,
  order: Order<Row>,
  query: PageQuery,
): Promise<Page<Row>> {
  const { skip = 0, limit = DEFAULT_LIMIT, cursor } = query;
  const columns = order.columns.map(({ name }) => sql.ref(name));
  const isDescending = order.direction === "desc";
  const comparison = isDescending ? sql`<` : sql`>`;
  const start =
    cursor === undefined
      ? sql`true`
      : sql`(${sql.join(columns)}) ${comparison} (${sql.join(placeAfter(order, cursor))})`;
  const directed = columns.map((column) => (isDescending ? sql`${column} DESC` : column));
  // The planner takes the inner query for a part of the outer one, so that its indexes serve both.
  const { rows } = await sql<Row>`
    SELECT * FROM (${selected}) AS listed WHERE ${start} ORDER BY ${sql.join(directed)}
    LIMIT ${limit + 1} OFFSET ${skip}`.execute(db);
  const total = await totalOf(db, selected);
  return toPage({ query, order: order.name, rows, total, positionOf: (row) => placeOf(order, row) });
}
