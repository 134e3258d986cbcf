import { invalidField } from "@kit/problem";
import type { PageQuery } from "./lists.schema.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be an id. PostgreSQL would fail on any other text. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export interface Page<Item> {
  items: Item[];
  total: number;
  total_is_estimate?: boolean;
  skip: number;
  limit: number;
  next_cursor: string | null;
}

export const DEFAULT_LIMIT = 50;

/** The position after which a page begins: the values of the order's columns in the last row of the previous page. */
export type Position = readonly (string | number | null)[];

/** Opaque to clients and bound to one order: a cursor of another order is refused. */
export function encodeCursor(order: string, position: Position): string {
  return Buffer.from(JSON.stringify([order, ...position])).toString("base64url");
}

export function decodeCursor(order: string, cursor: string): Position {
  const read = parse(Buffer.from(cursor, "base64url").toString("utf8"));
  if (!isPosition(read) || read[0] !== order)
    throw invalidField("cursor", "must come from this list with the same order");
  return read.slice(1);
}

function isPosition(read: unknown): read is Position {
  return Array.isArray(read) && read.every((value) => value === null || /^(string|number)$/.test(typeof value));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface PageParts<Row> {
  query: PageQuery;
  order: string;
  /** At most one row more than the limit, which shows whether there is a next page. */
  rows: readonly Row[];
  total: { total: number; total_is_estimate?: boolean };
  positionOf: (row: Row) => Position;
}

export function toPage<Row>({ query, order, rows, total, positionOf: at }: PageParts<Row>): Page<Row> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next_cursor = rows.length > limit && last !== undefined ? encodeCursor(order, at(last)) : null;
  return { items, ...total, skip: query.skip ?? 0, limit, next_cursor };
}
