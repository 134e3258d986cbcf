import type { Field } from "@kit/query/condition";
import { toSql } from "../query/condition-sql.ts";
import { buildTextSql, createParameters, type Parameters } from "../query/condition-sql-values.ts";
import type { LogsSelection } from "../search/log-selection.ts";
import type { LogReads } from "../search/log-store.ts";
import { buildFacetSql, buildValueSql, MAX_COUNTED_VALUES } from "./field-sql.ts";
import type { Split } from "./log-summaries.schema.ts";
import { isInstant, type Metric } from "./metric.ts";

export interface WantedHistogram {
  selection: LogsSelection;
  /** The beginning of the first bucket. */
  originMs: number;
  widthMs: number;
  by: Split;
}

/** How many logs of a bucket have this value, and how many it has in all. */
export interface BucketCount {
  bucket: number;
  value: string;
  count: number;
  total: number;
}

export interface WantedFacets {
  selection: LogsSelection;
  fields: readonly Field[];
  limit: number;
}

export interface CountedFacet {
  values: { value: string; count: number }[];
  distinct: number;
  missing: number;
  is_estimate: boolean;
}

export interface CountedFacets {
  total: number;
  facets: CountedFacet[];
}

export interface WantedGroups {
  selection: LogsSelection;
  groupBy: readonly Field[];
  metrics: readonly Metric[];
  limit: number;
}

/** The values in the order of the request. */
export interface GroupRow {
  group: (string | null)[];
  metrics: (number | string | null)[];
}

export interface AttributeCount {
  /** Its path, in the words of a query. */
  name: string;
  count: number;
}

export interface CountedAttributes {
  total: number;
  attributes: AttributeCount[];
}

/** What an answer may cost. */
export interface Bound {
  maxSeconds: number;
  signal?: AbortSignal | undefined;
}

/** Each answers undefined when it takes longer than it may. */
export interface LogSummariesStore {
  histogram(wanted: WantedHistogram, bound: Bound): Promise<BucketCount[] | undefined>;
  facets(wanted: WantedFacets, bound: Bound): Promise<CountedFacets | undefined>;
  /** The groups with the highest first metric. */
  aggregate(wanted: WantedGroups, bound: Bound): Promise<GroupRow[] | undefined>;
  /** The most frequent names of attributes. */
  attributes(selection: LogsSelection, bound: Bound): Promise<CountedAttributes | undefined>;
}

/** How many values of a bucket have a count of their own. */
const MAX_BUCKET_VALUES = 20;
export const MAX_ATTRIBUTES = 1000;

export function createLogSummariesStore(logs: Pick<LogReads, "summarise">): LogSummariesStore {
  function summarise<Row>(
    { scope, condition, from, to }: LogsSelection,
    { maxSeconds, signal }: Bound,
    columns: readonly string[],
    { values }: Parameters,
    groups?: string,
  ): Promise<Row[] | undefined> {
    const selected = { scope, where: toSql(condition), time: "timestamp", from, to } as const;
    const asked = { ...selected, columns: { sql: columns.join(", "), parameters: values }, maxSeconds };
    return logs.summarise<Row>({ ...asked, ...(groups !== undefined && { groups }) }, signal);
  }

  return {
    histogram({ selection, originMs, widthMs, by }, bound) {
      const parameters = createParameters("c");
      const [origin, width] = [parameters.add(originMs, "Int64"), parameters.add(widthMs, "Int64")];
      const columns = [
        `intDiv(toUnixTimestamp64Milli(timestamp) - ${origin}, ${width}) AS bucket`,
        `${buildTextSql(by)} AS value`,
        "count() AS count",
        "sum(count()) OVER (PARTITION BY bucket) AS total",
      ];
      const groups = `GROUP BY bucket, value ORDER BY bucket, count DESC, value LIMIT ${MAX_BUCKET_VALUES} BY bucket`;
      return summarise<BucketCount>(selection, bound, columns, parameters, groups);
    },

    async facets({ selection, fields, limit }, bound) {
      const parameters = createParameters("c");
      const columns = fields.flatMap((field, place) => {
        const { top, distinct, missing } = buildFacetSql(field, limit, parameters);
        return [`${top} AS top_${place}`, `${distinct} AS distinct_${place}`, `${missing} AS missing_${place}`];
      });
      const [row] = (await summarise<FacetsRow>(selection, bound, ["count() AS total", ...columns], parameters)) ?? [];
      if (!row) return undefined;
      const facets = fields.map((_, place) => toFacet(row, place));
      return { total: row.total, facets };
    },

    async aggregate({ selection, groupBy, metrics, limit }, bound) {
      const parameters = createParameters("c");
      const columns = [
        ...groupBy.map((field, place) => `${buildValueSql(field, parameters)} AS group_${place}`),
        ...metrics.map((metric, place) => `${buildMetricSql(metric, parameters)} AS metric_${place}`),
      ];
      const keys = groupBy.map((_, place) => `group_${place}`);
      const by = keys.length === 0 ? "" : `GROUP BY ${keys.join(", ")} `;
      const groups = `${by}ORDER BY ${["metric_0 DESC", ...keys].join(", ")} LIMIT ${limit}`;
      const rows = await summarise<Record<string, GroupRow["metrics"][number]>>(
        selection,
        bound,
        columns,
        parameters,
        groups,
      );
      return rows?.map((row) => ({
        group: keys.map((key) => (row[key] === null || row[key] === undefined ? null : String(row[key]))),
        metrics: metrics.map((_, place) => row[`metric_${place}`] ?? null),
      }));
    },

    async attributes(selection, bound) {
      // No attribute has an empty name: it stands for the log itself.
      const columns = ["arrayJoin(arrayConcat([''], JSONAllPaths(attributes))) AS name", "count() AS count"];
      const groups = `GROUP BY name ORDER BY count DESC, name LIMIT ${MAX_ATTRIBUTES + 1}`;
      const rows = await summarise<AttributeCount>(selection, bound, columns, createParameters("c"), groups);
      if (!rows) return undefined;
      return {
        total: rows.find(({ name }) => name === "")?.count ?? 0,
        attributes: rows.filter(({ name }) => name !== ""),
      };
    },
  };
}

type FacetsRow = { total: number } & Record<`distinct_${number}` | `missing_${number}`, number> &
  Record<`top_${number}`, { item: string; count: number; error: number }[]>;

function toFacet(row: FacetsRow, place: number): CountedFacet {
  const top = row[`top_${place}`] ?? [];
  const distinct = row[`distinct_${place}`] ?? 0;
  const sorted = top.toSorted((a, b) => b.count - a.count || (a.item < b.item ? -1 : 1));
  return {
    values: sorted.map(({ item, count }) => ({ value: item, count })),
    distinct,
    missing: row[`missing_${place}`] ?? 0,
    is_estimate: distinct > MAX_COUNTED_VALUES,
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
