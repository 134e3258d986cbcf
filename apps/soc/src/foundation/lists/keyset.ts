import { type Expression, type QueryExecutorProvider, sql } from "kysely";
import type { PageQuery } from "./lists.schema.ts";
import { type Order, pageInMemory, placeAfter, toPosition } from "./order.ts";
import { DEFAULT_LIMIT, encodeCursor, type Page } from "./page.ts";

const EXACT_UP_TO = 10_000;

export interface Total {
  total: number;
  total_is_estimate?: boolean;
}

/** Counts the rows of a query: exactly while counting is cheap, otherwise by the planner's estimate. */
export async function countTotal(db: QueryExecutorProvider, rows: Expression<unknown>): Promise<Total> {
  const total = await countUpTo(db, rows, EXACT_UP_TO + 1);
  return total <= EXACT_UP_TO ? { total } : guessTotal(db, { rows, share: 1 }, total);
}

/** Counts the rows of a query up to the given maximum. */
export async function countUpTo(db: QueryExecutorProvider, rows: Expression<unknown>, limit: number): Promise<number> {
  const counted = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM (SELECT FROM (${rows}) AS all_rows LIMIT ${limit}) AS some_rows`.execute(db);
  return counted.rows[0]?.total ?? 0;
}

/** Returns the planner's estimate multiplied by the share, but at least the number of rows already read. */
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

export interface Hints {
  /** There are too many rows to count, so the total is an estimate. */
  areMany?: boolean;
  /** The rows are a share of other rows, whose number the planner estimates better. */
  guessed?: { rows: Expression<unknown>; share: number };
  /**
   * The table of the rows. If the planner expects many of them, the page is first searched for among the first rows in
   * order.
   */
  table?: string;
}

/** Above this estimate, a scan in list order probably fills a page soon. */
const MANY = 1.5 * EXACT_UP_TO;
/** How many rows of the table such a scan may read: about 50 ms. */
const MAX_PROBED = 20_000;
const MAX_PROBED_SKIP = 1000;

/** Reads one keyset page of a query. Continuing at a cursor costs the same however many rows are before it. */
export async function readPage<Row>(
  db: QueryExecutorProvider,
  selected: Expression<Row>,
  order: Order<Row>,
  query: PageQuery,
  { areMany = false, guessed = { rows: selected, share: 1 }, table }: Hints = {},
): Promise<Page<Row>> {
  const { skip = 0, limit = DEFAULT_LIMIT } = query;
  const directed = buildOrderBy(order);
  const id = sql.ref(order.columns.at(-1)?.name ?? "id");
  const start = buildCursorCondition(order, query);
  const keys: Keys = {
    selected: sql`SELECT ${toColumnList(order.columns)} FROM (${selected}) AS listed`,
    id,
    page: sql`${start} ORDER BY ${directed} LIMIT ${limit + 1} OFFSET ${skip}`,
  };
  const probed =
    table === undefined || areMany || skip > MAX_PROBED_SKIP
      ? undefined
      : await probe(db, keys, guessed, { table, rows: sql`${sql.table(table)} WHERE ${start} ORDER BY ${directed}` });
  const { ids, ...total } =
    probed && probed.ids.length > limit ? probed : await findPage(db, keys, { areMany, guessed }, skip);
  const { rows: items } = await sql<Row>`
    SELECT * FROM (${selected}) AS listed WHERE ${id} = ANY(${ids.slice(0, limit)}) ORDER BY ${directed}`.execute(db);
  const last = items.at(-1);
  const next_cursor = ids.length > limit && last ? encodeCursor(order.name, toPosition(order, last)) : null;
  return { items, ...total, skip, limit, next_cursor };
}

/** How many rows are checked in memory for one page. */
const MAX_CHECKED = 2000;

export interface CheckedPage<Row> extends Page<Row> {
  /** There are more rows than were checked; the cursor continues after the last of them. */
  is_partial?: boolean;
}

/**
 * Reads a page of the rows that pass a check in memory. The page is complete and counted if the rows are few enough to
 * check them all.
 */
export async function readCheckedPage<Row>(
  db: QueryExecutorProvider,
  selected: Expression<Row>,
  order: Order<Row>,
  query: PageQuery,
  isListed: (row: Row) => boolean,
): Promise<CheckedPage<Row>> {
  const first = await readRows(db, selected, order, {});
  if (first.length <= MAX_CHECKED) return pageInMemory(first.filter(isListed), order, query);
  const { skip = 0, limit = DEFAULT_LIMIT, cursor } = query;
  const rows = cursor === undefined ? first : await readRows(db, selected, order, query);
  const checked = rows.slice(0, MAX_CHECKED);
  const found = checked.filter(isListed);
  const is_partial = found.length <= skip + limit && rows.length > checked.length;
  const items = found.slice(skip, skip + limit);
  const last = is_partial ? checked.at(-1) : items.at(-1);
  const hasMore = is_partial || found.length > skip + limit;
  const next_cursor = hasMore && last ? encodeCursor(order.name, toPosition(order, last)) : null;
  const guessed = { rows: selected, share: found.length / checked.length };
  const total = await guessTotal(db, guessed, found.length);
  return { items, ...total, skip, limit, next_cursor, ...(is_partial && { is_partial }) };
}

/** Reads one row more than can be checked, to detect that there are more. */
async function readRows<Row>(
  db: QueryExecutorProvider,
  selected: Expression<Row>,
  order: Order<Row>,
  query: PageQuery,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT * FROM (${selected}) AS listed WHERE ${buildCursorCondition(order, query)}
    ORDER BY ${buildOrderBy(order)} LIMIT ${MAX_CHECKED + 1}`.execute(db);
  return rows;
}

/** The ids of a page, one more id if the list continues, and the number of all rows. */
interface FoundPage extends Total {
  ids: string[];
}

/** The columns in the index, which are enough to find a page without reading the rows. */
interface Keys {
  selected: Expression<unknown>;
  id: Expression<unknown>;
  /** The start, order and length of the page. */
  page: Expression<unknown>;
}

/**
 * If few rows match, finds all of them first and then sorts them, whatever the planner estimates: a scan in list order
 * could read the whole table. Returns undefined if many rows match, because a scan in list order then finds some of
 * them soon.
 */
async function findFew(db: QueryExecutorProvider, { selected, id, page }: Keys): Promise<FoundPage | undefined> {
  const { rows } = await sql<FoundPage>`
    WITH found AS MATERIALIZED (${selected} LIMIT ${EXACT_UP_TO + 1}),
      counted AS MATERIALIZED (SELECT count(*)::int AS total FROM found)
    SELECT total, ARRAY(SELECT ${id} FROM found WHERE (SELECT total <= ${EXACT_UP_TO} FROM counted) AND ${page}) AS ids
    FROM counted`.execute(db);
  return rows.find(({ total }) => total <= EXACT_UP_TO);
}

/** Returns the ids of a page from the first rows of the table; undefined if the planner does not expect many rows. */
async function probe(
  db: QueryExecutorProvider,
  { selected, id, page }: Keys,
  guessed: NonNullable<Hints["guessed"]>,
  inOrder: { table: string; rows: Expression<unknown> },
): Promise<FoundPage | undefined> {
  const total = await guessTotal(db, guessed, 0);
  if (total.total < MANY) return undefined;
  // Here the table's name stands for its first rows.
  const { rows } = await sql<{ ids: string[] }>`
    WITH ${sql.table(inOrder.table)} AS (SELECT * FROM ${inOrder.rows} LIMIT ${MAX_PROBED})
    SELECT ARRAY(SELECT ${id} FROM (${selected}) AS keys WHERE ${page}) AS ids`.execute(db);
  return { ids: rows[0]?.ids ?? [], ...total };
}

async function findPage(
  db: QueryExecutorProvider,
  keys: Keys,
  { areMany, guessed }: Required<Pick<Hints, "areMany" | "guessed">>,
  skip: number,
): Promise<FoundPage> {
  const few = areMany ? undefined : await findFew(db, keys);
  if (few) return few;
  const ids = await idsInOrder(db, keys);
  return { ids, ...(await guessTotal(db, guessed, areMany ? skip + ids.length : EXACT_UP_TO + 1)) };
}

async function idsInOrder(db: QueryExecutorProvider, { selected, id, page }: Keys): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    SELECT ARRAY(SELECT ${id} FROM (${selected}) AS keys WHERE ${page}) AS ids`.execute(db);
  return rows[0]?.ids ?? [];
}

function toColumnList(columns: readonly { name: string }[]) {
  return sql.join(columns.map(({ name }) => sql.ref(name)));
}

/** Must equal the indexed expression, including the number that replaces null. */
function toExpression({ name, ifNull }: { name: string; ifNull?: number }) {
  return ifNull === undefined ? sql.ref(name) : sql`coalesce(${sql.ref(name)}, ${sql.lit(ifNull)})`;
}

function buildOrderBy<Row>({ columns, direction }: Order<Row>) {
  return sql.join(
    columns.map((column) => (direction === "desc" ? sql`${toExpression(column)} DESC` : toExpression(column))),
  );
}

function buildCursorCondition<Row>(order: Order<Row>, query: PageQuery) {
  if (query.cursor === undefined) return sql`true`;
  const place = placeAfter(order, query.cursor);
  // A filter on a column makes its value the same in all rows. Omit that column from the comparison: it adds nothing
  // and would prevent PostgreSQL from starting the index scan at the position.
  const filters = new Map<string, unknown>(Object.entries(query));
  const free = order.columns
    .map((column, at) => ({ ...column, value: place[at] }))
    .filter(({ name, value }) => filters.get(name) !== value);
  const comparison = order.direction === "desc" ? sql`<` : sql`>`;
  return sql`(${sql.join(free.map(toExpression))}) ${comparison} (${sql.join(free.map(({ value }) => value))})`;
}
