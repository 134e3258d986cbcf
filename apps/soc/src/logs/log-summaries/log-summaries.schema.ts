import Type, { type Static } from "typebox";
import { MultiValueOf } from "../../foundation/lists/multi-value-params.schema.ts";
import { TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { FilterText, LogSeverityWord, LogWindowQuery, PartialBody, QueryText } from "../search/logs.schema.ts";
import { SEARCH_ID } from "../searches/searches.schema.ts";

/** The fields by which a histogram is split. */
export const SPLITS = [
  "severity",
  "source",
  "outcome",
  "action",
  "event_code",
  "host",
  "user",
  "process",
  "site",
] as const;
export type Split = (typeof SPLITS)[number];

const MIN_BUCKETS = 10;
const MAX_BUCKETS = 200;
const MAX_VALUES = 100;
const MAX_FIELDS = 20;
const MAX_GROUP_FIELDS = 3;
const MAX_METRICS = 10;
const MAX_ROWS = 1000;

const filter = {
  query: Type.Optional(QueryText),
  source: Type.Optional(FilterText),
  host: Type.Optional(FilterText),
  severity: Type.Optional(LogSeverityWord),
  ...LogWindowQuery.properties,
};
/** A field of a log, or `attributes.` and a path. */
export const FieldName = Type.String({ minLength: 1, maxLength: 600 });

export const HistogramQuery = Type.Object({
  ...SEARCH_ID,
  ...filter,
  buckets: Type.Optional(Type.Integer({ minimum: MIN_BUCKETS, maximum: MAX_BUCKETS })),
  by: Type.Optional(Type.Enum([...SPLITS])),
});
export type HistogramQuery = Static<typeof HistogramQuery>;

export const LogFacetsQuery = Type.Object({
  ...SEARCH_ID,
  ...filter,
  fields: Type.Optional({ ...MultiValueOf(FieldName), maxItems: MAX_FIELDS }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_VALUES })),
});
export type LogFacetsQuery = Static<typeof LogFacetsQuery>;

export const AggregateRequest = Type.Object(
  {
    ...filter,
    group_by: Type.Optional(Type.Array(FieldName, { maxItems: MAX_GROUP_FIELDS })),
    metrics: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 620 }), {
        minItems: 1,
        maxItems: MAX_METRICS,
        description: "count, or distinct:field, min:field, max:field, avg:field",
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ROWS })),
  },
  { title: "AggregateRequest", additionalProperties: false },
);
export type AggregateRequest = Static<typeof AggregateRequest>;

export const Coverage = {
  from: Time,
  to: Time,
  is_estimate: Type.Boolean({ description: "whether the counts are not exact" }),
  is_partial: Type.Boolean({
    description: "whether only the logs since covered_from are counted, or none of missing_stores",
  }),
  covered_from: TimeOrNull,
  missing_stores: PartialBody.missing_stores,
};

export const HistogramBody = Type.Object(
  {
    ...Coverage,
    interval_s: Type.Integer(),
    by: Type.Enum([...SPLITS]),
    total: Type.Integer(),
    buckets: Type.Array(
      Type.Object({ at: Time, total: Type.Integer(), by: Type.Record(Type.String(), Type.Integer()) }),
      { description: "without empty ones; the ten most frequent values by name" },
    ),
  },
  { title: "Histogram" },
);
export type Histogram = Static<typeof HistogramBody>;

export const LogFacetsBody = Type.Object(
  {
    ...Coverage,
    total: Type.Integer(),
    facets: Type.Array(
      Type.Object({
        field: Type.String(),
        values: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() })),
        missing: Type.Integer({ description: "logs without a value" }),
        distinct: Type.Integer(),
        other: Type.Integer({ description: "logs with another value" }),
        is_estimate: Type.Boolean(),
      }),
    ),
  },
  { title: "LogFacets" },
);
export type LogFacets = Static<typeof LogFacetsBody>;

export const AggregateBody = Type.Object(
  {
    ...Coverage,
    rows: Type.Array(
      Type.Object({
        group: Type.Record(Type.String(), TextOrNull),
        metrics: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Null()])),
      }),
    ),
    has_more: Type.Boolean({ description: "whether there are more groups than the limit" }),
  },
  { title: "Aggregate" },
);
export type Aggregate = Static<typeof AggregateBody>;
