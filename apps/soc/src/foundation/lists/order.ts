import { invalidField } from "@kit/problem";
import type { PageQuery } from "./lists.schema.ts";
import { DEFAULT_LIMIT, decodeCursor, isUuid, type Page, toPage } from "./page.ts";

/** The type of a column's values: a time, an id, a number, or one of the given words, lowest first. */
export type ColumnKind = "instant" | "id" | "number" | readonly string[];

/** A total order of a list: no two rows have the same position. */
export interface Order<Row> {
  /** The name in the query, such as -created_at. A cursor belongs to one order. */
  name: string;
  direction: "asc" | "desc";
  /** Columns must be NOT NULL or have an `ifNull` value; the last column is unique. */
  columns: readonly { name: keyof Row & string; kind: ColumnKind; ifNull?: number }[];
}

/** Orders by an instant and then by id, both descending. */
export function newestFirst<Instant extends string, Id extends string = "id">(
  instant: Instant,
  id?: Id,
): Order<Record<Instant | Id, unknown>>;
export function newestFirst(instant: string, id = "id"): Order<Record<string, unknown>> {
  return {
    name: `-${instant}`,
    direction: "desc",
    columns: [
      { name: instant, kind: "instant" },
      { name: id, kind: "id" },
    ],
  };
}

const NUMBER = /^-?\d{1,15}(\.\d{1,20})?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns the position of a row as strings that a cursor can store. */
export function toPosition<Row>({ columns }: Order<Row>, row: Row): string[] {
  return columns.map(({ name, ifNull }) => {
    const value: unknown = row[name] ?? ifNull;
    return value instanceof Date ? value.toISOString() : String(value);
  });
}

/** Returns the position in a cursor. A forged cursor fails here and not in the database. */
export function placeAfter<Row>({ name, columns }: Order<Row>, cursor: string): string[] {
  const position = decodeCursor(name, cursor);
  const place = position.filter((value) => typeof value === "string");
  const isWhole =
    position.length === columns.length && columns.every(({ kind }, at) => isOfKind(kind, place[at] ?? ""));
  if (!isWhole) throw invalidField("cursor", "must come from this list with the same order");
  return place;
}

function isOfKind(kind: ColumnKind, value: string): boolean {
  if (kind === "id") return isUuid(value);
  if (kind === "number") return NUMBER.test(value);
  if (kind === "instant") return INSTANT.test(value) && !Number.isNaN(Date.parse(value));
  return kind.includes(value);
}

/** Reports whether the row has the value of every filter that the query sets. */
export function hasValues<Field extends string>(
  row: Record<Field, unknown>,
  query: Partial<Record<Field, unknown>>,
  fields: readonly Field[],
): boolean {
  return fields.every((field) => query[field] === undefined || row[field] === query[field]);
}

/** Returns the page that the database would return, from rows in memory. */
export function pageInMemory<Row>(
  all: readonly Row[],
  order: Order<Row>,
  query: PageQuery,
  isListed: (row: Row) => boolean = () => true,
): Page<Row> {
  const rows = all.filter(isListed);
  const { skip = 0, limit = DEFAULT_LIMIT, cursor } = query;
  const after = cursor === undefined ? undefined : placeAfter(order, cursor);
  const sorted = rows.toSorted((a, b) => compare(order, toPosition(order, a), toPosition(order, b)));
  const rest = after ? sorted.filter((row) => compare(order, toPosition(order, row), after) > 0) : sorted;
  return toPage({
    query,
    order: order.name,
    rows: rest.slice(skip, skip + limit + 1),
    total: { total: rows.length },
    positionOf: (row) => toPosition(order, row),
  });
}

function compare<Row>({ columns, direction }: Order<Row>, a: readonly string[], b: readonly string[]): number {
  const differences = columns.map(({ kind }, at) => compareValues(kind, a[at] ?? "", b[at] ?? ""));
  const difference = differences.find((each) => each !== 0) ?? 0;
  return direction === "desc" ? -difference : difference;
}

function compareValues(kind: ColumnKind, a: string, b: string): number {
  if (kind === "number") return Number(a) - Number(b);
  if (typeof kind !== "string") return kind.indexOf(a) - kind.indexOf(b);
  return a < b ? -1 : Number(a > b);
}
