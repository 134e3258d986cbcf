import { invalidField } from "@kit/problem";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { decodeCursor, type Page, toPage } from "../../foundation/lists/page.ts";
import type { TimelineEntry } from "./case.ts";

/** Ids increase in the order of writing; two entries may have the same time. */
export interface NumberedEntry extends TimelineEntry {
  id: string;
}

const ORDER = "timeline";

/** Parses a cursor: the page begins with the next older entry. */
export function entryBefore(cursor: string): bigint {
  const [id] = decodeCursor(ORDER, cursor);
  if (typeof id !== "string" || !/^\d{1,18}$/.test(id)) {
    throw invalidField("cursor", "must come from this list with the same order");
  }
  return BigInt(id);
}

export function timelinePage(
  query: PageQuery,
  rows: readonly NumberedEntry[],
  total: { total: number; total_is_estimate?: boolean },
): Page<TimelineEntry> {
  return toPage({ query, order: ORDER, rows, total, positionOf: ({ id }) => [id] });
}
