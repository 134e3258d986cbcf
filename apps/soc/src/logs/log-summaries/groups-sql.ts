import { compareText } from "../../ports/log-order.ts";
import type { SummaryColumns, SummaryParts } from "../../ports/log-store.ts";
import { createParameters, type Parameters } from "../query/condition-sql-values.ts";
import { buildValueSql } from "./field-sql.ts";
import type { WantedGroups } from "./log-summary.ts";
import { isInstant, type Metric } from "./metric.ts";
import { groupRows, joinPartRows, PART_ROWS } from "./part-rows.ts";
import { mergeUniqStates } from "./uniq-states.ts";

export type Value = number | string | null;
/** `group_0` and so on, `metric_0` and so on; in a part, `state_0`, or `sum_0` and `count_0`, replace some metrics. */
type Row = Record<string, Value>;

/** Selects the groups with the highest first metric. */
export function askGroups({ groupBy, metrics, limit }: Omit<WantedGroups, "selection">): SummaryColumns & {
  parts: SummaryParts<Row, Row>;
} {
  const parameters = createParameters("c");
  const groupColumns = groupBy.map((field, place) => `${buildValueSql(field, parameters)} AS group_${place}`);
  const columns = [
    ...groupColumns,
    ...metrics.map((metric, place) => `${buildMetricSql(metric, parameters)} AS metric_${place}`),
  ];
  const partColumns = [...groupColumns, ...metrics.flatMap((metric, place) => buildPartSql(metric, place, parameters))];
  const keys = groupBy.map((_, place) => `group_${place}`);
  const by = keys.length === 0 ? "" : `GROUP BY ${keys.join(", ")} `;
  return {
    columns: { sql: columns.join(", "), parameters: parameters.values },
    groups: `${by}ORDER BY ${["metric_0 DESC", ...keys].join(", ")} LIMIT ${limit}`,
    parts: {
      columns: { sql: partColumns.join(", "), parameters: parameters.values },
      groups: `${by}${PART_ROWS}`,
      merge: (parts) => mergeGroups(joinPartRows(parts), keys, metrics)?.slice(0, limit),
    },
  };
}

function buildMetricSql(metric: Metric, parameters: Parameters): string {
  if (metric.kind === "count") return "count()";
  const value = buildValueSql(metric.field, parameters);
  if (metric.kind === "distinct") return `uniq(${value})`;
  if (isInstant(metric.field)) return `${metric.kind}(${value})`;
  const number = `toFloat64OrNull(${value})`;
  return `${metric.kind}If(${number}, isFinite(${number}))`;
}

function buildPartSql(metric: Metric, place: number, parameters: Parameters): string[] {
  if (metric.kind === "distinct") {
    const value = buildValueSql(metric.field, parameters);
    return [`hex(uniqIfState(assumeNotNull(${value}), isNotNull(${value}))) AS state_${place}`];
  }
  if (metric.kind !== "avg") return [`${buildMetricSql(metric, parameters)} AS metric_${place}`];
  const number = `toFloat64OrNull(${buildValueSql(metric.field, parameters)})`;
  return [`sumIf(${number}, isFinite(${number})) AS sum_${place}`, `countIf(isFinite(${number})) AS count_${place}`];
}

function mergeGroups(
  rows: readonly Row[] | undefined,
  keys: readonly string[],
  metrics: readonly Metric[],
): Row[] | undefined {
  if (!rows) return undefined;
  const merged = groupRows(rows, (row) => JSON.stringify(keys.map((key) => row[key]))).map((parts): Row => {
    const row: Row = {};
    for (const key of keys) row[key] = parts[0]?.[key] ?? null;
    for (const [place, metric] of metrics.entries()) row[`metric_${place}`] = mergeMetric(metric, place, parts);
    return row;
  });
  return merged.toSorted((a, b) => compareValues(a.metric_0, b.metric_0, -1) || compareKeys(keys, a, b));
}

function mergeMetric({ kind }: Metric, place: number, parts: readonly Row[]): Value {
  const known = (name: string) => parts.flatMap((part) => part[`${name}_${place}`] ?? []);
  const add = (name: string) => known(name).reduce<number>((sum, value) => sum + Number(value), 0);
  switch (kind) {
    case "count":
      return add("metric");
    case "distinct":
      return mergeUniqStates(known("state").map(String));
    case "min":
      return known("metric").toSorted(compareKnown)[0] ?? null;
    case "max":
      return known("metric").toSorted(compareKnown).at(-1) ?? null;
    case "avg":
      return add("count") === 0 ? null : add("sum") / add("count");
    default:
      return kind satisfies never;
  }
}

function compareKeys(keys: readonly string[], a: Row, b: Row): number {
  for (const key of keys) {
    const order = compareValues(a[key], b[key], 1);
    if (order !== 0) return order;
  }
  return 0;
}

/** Unknown values come last in both directions. */
function compareValues(a: Value | undefined, b: Value | undefined, direction: 1 | -1): number {
  const [left, right] = [a ?? null, b ?? null];
  if (left !== null && right !== null) return direction * compareKnown(left, right);
  return Number(left === null) - Number(right === null);
}

function compareKnown(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b));
}
