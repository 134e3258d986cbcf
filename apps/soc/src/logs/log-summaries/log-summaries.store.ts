import type { LogReads, SummaryColumns, SummaryParts } from "../../ports/log-store.ts";
import { toSql } from "../query/condition-sql.ts";
import type { LogsSelection } from "../search/log-selection.ts";
import { askAttributes } from "./attributes-sql.ts";
import { askFacets, type FacetsRow } from "./facets-sql.ts";
import { MAX_COUNTED_VALUES } from "./field-sql.ts";
import { askGroups, type Value } from "./groups-sql.ts";
import { askHistogram } from "./histogram-sql.ts";
import type {
  BucketCount,
  CountedAttributes,
  CountedFacet,
  CountedFacets,
  GroupRow,
  WantedFacets,
  WantedGroups,
  WantedHistogram,
} from "./log-summary.ts";

/** The cost limits of a summary. */
export interface QueryBudget {
  maxSeconds: number;
  signal?: AbortSignal | undefined;
}

/** Each method returns undefined if it exceeds its time limit. */
export interface LogSummariesStore {
  histogram(wanted: WantedHistogram, bound: QueryBudget): Promise<BucketCount[] | undefined>;
  facets(wanted: WantedFacets, bound: QueryBudget): Promise<CountedFacets | undefined>;
  /** The groups with the highest first metric. */
  aggregate(wanted: WantedGroups, bound: QueryBudget): Promise<GroupRow[] | undefined>;
  /** The most frequent names of attributes. */
  attributes(selection: LogsSelection, bound: QueryBudget): Promise<CountedAttributes | undefined>;
}

export const MAX_ATTRIBUTES = 1000;

export function createLogSummariesStore(logs: Pick<LogReads, "summarise">): LogSummariesStore {
  function summarise<Row, Part>(
    { scope, condition, from, to, missing }: LogsSelection,
    { maxSeconds, signal }: QueryBudget,
    asked: SummaryColumns & { parts: SummaryParts<Row, Part> },
  ): Promise<Row[] | undefined> {
    const selected = {
      scope,
      where: toSql(condition),
      time: "timestamp",
      from,
      to,
      ...(missing && { missing }),
    } as const;
    return logs.summarise<Row, Part>({ ...selected, ...asked, maxSeconds }, signal);
  }

  return {
    histogram: ({ selection, ...wanted }, bound) => summarise(selection, bound, askHistogram(wanted)),

    async facets({ selection, fields, limit }, bound) {
      const [row] = (await summarise(selection, bound, askFacets(fields, limit))) ?? [];
      return row && { total: row.total, facets: fields.map((_, place) => toFacet(row, place)) };
    },

    async aggregate({ selection, ...wanted }, bound) {
      const { groupBy, metrics } = wanted;
      const rows = await summarise(selection, bound, askGroups(wanted));
      return rows?.map((row) => ({
        group: groupBy.map((_, place) => toText(row[`group_${place}`])),
        metrics: metrics.map((_, place) => row[`metric_${place}`] ?? null),
      }));
    },

    async attributes(selection, bound) {
      const rows = await summarise(selection, bound, askAttributes(MAX_ATTRIBUTES));
      if (!rows) return undefined;
      return {
        total: rows.find(({ name }) => name === "")?.count ?? 0,
        attributes: rows.filter(({ name }) => name !== ""),
      };
    },
  };
}

function toText(value: Value | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

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
