import { compareText } from "../../ports/log-order.ts";
import type { SummaryColumns, SummaryParts } from "../../ports/log-store.ts";
import type { AttributeCount } from "./log-summary.ts";
import { joinPartRows, PART_ROWS } from "./part-rows.ts";

/**
 * Selects the most frequent attribute names. No attribute has an empty name, which therefore represents the log itself.
 */
export function askAttributes(maxAttributes: number): SummaryColumns & {
  parts: SummaryParts<AttributeCount, AttributeCount>;
} {
  const sql = "arrayJoin(arrayConcat([''], JSONAllPaths(attributes))) AS name, count() AS count";
  const columns = { sql, parameters: {} };
  const limit = maxAttributes + 1;
  return {
    columns,
    groups: `GROUP BY name ORDER BY count DESC, name LIMIT ${limit}`,
    parts: {
      columns,
      groups: `GROUP BY name ${PART_ROWS}`,
      merge: (parts) => mergeNames(joinPartRows(parts))?.slice(0, limit),
    },
  };
}

function mergeNames(rows: readonly AttributeCount[] | undefined): AttributeCount[] | undefined {
  if (!rows) return undefined;
  const counts = new Map<string, number>();
  for (const { name, count } of rows) counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .toSorted((a, b) => b.count - a.count || compareText(a.name, b.name));
}
