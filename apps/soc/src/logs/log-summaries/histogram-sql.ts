import { compareText } from "../../ports/log-order.ts";
import type { SummaryColumns, SummaryParts } from "../../ports/log-store.ts";
import { buildTextSql, createParameters } from "../query/condition-sql-values.ts";
import type { BucketCount, WantedHistogram } from "./log-summary.ts";
import { groupRows, joinPartRows, PART_ROWS } from "./part-rows.ts";

/** How many values of a bucket have a separate count. */
const MAX_BUCKET_VALUES = 20;

type BucketPart = Omit<BucketCount, "total">;

export function askHistogram({ originMs, widthMs, by }: Omit<WantedHistogram, "selection">): SummaryColumns & {
  parts: SummaryParts<BucketCount, BucketPart>;
} {
  const parameters = createParameters("c");
  const [origin, width] = [parameters.add(originMs, "Int64"), parameters.add(widthMs, "Int64")];
  const columns = [
    `intDiv(toUnixTimestamp64Milli(timestamp) - ${origin}, ${width}) AS bucket`,
    `${buildTextSql(by)} AS value`,
    "count() AS count",
  ];
  const total = "sum(count()) OVER (PARTITION BY bucket) AS total";
  return {
    columns: { sql: [...columns, total].join(", "), parameters: parameters.values },
    groups: `GROUP BY bucket, value ORDER BY bucket, count DESC, value LIMIT ${MAX_BUCKET_VALUES} BY bucket`,
    parts: {
      columns: { sql: columns.join(", "), parameters: parameters.values },
      groups: `GROUP BY bucket, value ${PART_ROWS}`,
      merge: mergeBuckets,
    },
  };
}

function mergeBuckets(parts: readonly (readonly BucketPart[])[]): BucketCount[] | undefined {
  const rows = joinPartRows(parts);
  if (!rows) return undefined;
  return groupRows(rows, ({ bucket }) => String(bucket))
    .toSorted(([a], [b]) => (a?.bucket ?? 0) - (b?.bucket ?? 0))
    .flatMap((bucketRows) => {
      const total = addCounts(bucketRows);
      return groupRows(bucketRows, ({ value }) => value)
        .flatMap(([first, ...others]) => (first ? [{ ...first, count: first.count + addCounts(others), total }] : []))
        .toSorted((a, b) => b.count - a.count || compareText(a.value, b.value))
        .slice(0, MAX_BUCKET_VALUES);
    });
}

function addCounts(rows: readonly { count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}
