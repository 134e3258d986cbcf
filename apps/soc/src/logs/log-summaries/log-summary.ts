import type { Field } from "@kit/query/condition";
import type { LogsSelection } from "../search/log-selection.ts";
import type { Split } from "./log-summaries.schema.ts";
import type { Metric } from "./metric.ts";

export interface WantedHistogram {
  selection: LogsSelection;
  /** The beginning of the first bucket. */
  originMs: number;
  widthMs: number;
  by: Split;
}

export interface WantedFacets {
  selection: LogsSelection;
  fields: readonly Field[];
  limit: number;
}

export interface WantedGroups {
  selection: LogsSelection;
  groupBy: readonly Field[];
  metrics: readonly Metric[];
  limit: number;
}

/** How many logs of a bucket have this value, and how many logs it has in total. */
export interface BucketCount {
  bucket: number;
  value: string;
  count: number;
  total: number;
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

/** The values in the order of the request. */
export interface GroupRow {
  group: (string | null)[];
  metrics: (number | string | null)[];
}

export interface AttributeCount {
  /** Its path, as spelled in a query. */
  name: string;
  count: number;
}

export interface CountedAttributes {
  total: number;
  attributes: AttributeCount[];
}
