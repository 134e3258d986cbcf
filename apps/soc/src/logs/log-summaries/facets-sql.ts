import type { Field } from "@kit/query/condition";
import { compareText } from "../../ports/log-order.ts";
import type { SummaryColumns, SummaryParts } from "../../ports/log-store.ts";
import { createParameters } from "../query/condition-sql-values.ts";
import { buildFacetSql, MAX_COUNTED_VALUES } from "./field-sql.ts";
import { mergeUniqStates } from "./uniq-states.ts";

export type FacetsRow = { total: number } & Record<`distinct_${number}` | `missing_${number}`, number> &
  Record<`top_${number}`, CountedItem[]>;

interface CountedItem {
  item: string;
  count: number;
}

/** A store returns as many values as it counts, and the state of the number of distinct values. */
type FacetsPart = Omit<FacetsRow, `distinct_${number}`> & Record<`state_${number}`, string>;

export function askFacets(
  fields: readonly Field[],
  limit: number,
): SummaryColumns & {
  parts: SummaryParts<FacetsRow, FacetsPart>;
} {
  const parameters = createParameters("c");
  const total = "count() AS total";
  const columns = fields.flatMap((field, place) => {
    const { top, distinct, missing } = buildFacetSql(field, limit, parameters);
    return [`${top} AS top_${place}`, `${distinct} AS distinct_${place}`, `${missing} AS missing_${place}`];
  });
  const partColumns = fields.flatMap((field, place) => {
    const { top, distinctState, missing } = buildFacetSql(field, MAX_COUNTED_VALUES, parameters);
    return [`${top} AS top_${place}`, `hex(${distinctState}) AS state_${place}`, `${missing} AS missing_${place}`];
  });
  return {
    columns: { sql: [total, ...columns].join(", "), parameters: parameters.values },
    parts: {
      columns: { sql: [total, ...partColumns].join(", "), parameters: parameters.values },
      merge: (parts) => [mergeFacets(parts.flat(), fields.length, limit)],
    },
  };
}

function mergeFacets(parts: readonly FacetsPart[], fields: number, limit: number): FacetsRow {
  const row: FacetsRow = { total: parts.reduce((sum, { total }) => sum + total, 0) };
  for (let place = 0; place < fields; place += 1) {
    row[`top_${place}`] = mergeItems(parts.flatMap((part) => part[`top_${place}`] ?? [])).slice(0, limit);
    row[`distinct_${place}`] = mergeUniqStates(parts.map((part) => part[`state_${place}`] ?? ""));
    row[`missing_${place}`] = parts.reduce((sum, part) => sum + (part[`missing_${place}`] ?? 0), 0);
  }
  return row;
}

function mergeItems(items: readonly CountedItem[]): CountedItem[] {
  const counts = new Map<string, number>();
  for (const { item, count } of items) counts.set(item, (counts.get(item) ?? 0) + count);
  return [...counts]
    .map(([item, count]) => ({ item, count }))
    .toSorted((a, b) => b.count - a.count || compareText(a.item, b.item));
}
