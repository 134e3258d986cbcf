import Type, { type Static } from "typebox";
import { MultiValueOf } from "../../foundation/lists/multi-value-params.schema.ts";
import { TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { AlertFilters } from "../alerts/alerts.schema.ts";

/** The fields whose values are counted. Each is also a filter of the alert list, which then returns as many alerts. */
export const FACETS = [
  ...(["severity", "status", "source", "assignee", "case_id"] as const),
  ...(["host", "user", "rule_id", "site", "tag", "technique"] as const),
] as const;
export type FacetField = (typeof FACETS)[number];
export const GROUPINGS = ["rule_id", "host", "user", "case_id", "technique"] as const;
export type Grouping = (typeof GROUPINGS)[number];

const MIN_BUCKETS = 10;
const MAX_BUCKETS = 200;
const MAX_GROUPS = 200;

export const SummaryQuery = Type.Object({
  ...AlertFilters.properties,
  fields: Type.Optional(MultiValueOf(Type.Enum([...FACETS]))),
  buckets: Type.Optional(Type.Integer({ minimum: MIN_BUCKETS, maximum: MAX_BUCKETS })),
});
export type SummaryQuery = Static<typeof SummaryQuery>;

export const GroupsQuery = Type.Object({
  ...AlertFilters.properties,
  by: Type.Enum([...GROUPINGS]),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_GROUPS })),
});
export type GroupsQuery = Static<typeof GroupsQuery>;

const Count = Type.Integer();
const SeverityCounts = Type.Object(
  { critical: Count, high: Count, medium: Count, low: Count, info: Count },
  { title: "SeverityCounts" },
);
export type SeverityCounts = Static<typeof SeverityCounts>;

/** Counts cover all alerts of the filter, or only the newest ones. */
const Coverage = {
  from: Time,
  to: Time,
  total: Type.Integer(),
  is_estimate: Type.Boolean({ description: "whether total is estimated" }),
  is_partial: Type.Boolean({ description: "whether only the alerts since covered_from are counted" }),
  covered_from: TimeOrNull,
};

const BucketBody = Type.Object({ at: Time, ...SeverityCounts.properties }, { title: "AlertBucket" });
const FacetBody = Type.Object({ value: TextOrNull, count: Type.Integer() }, { title: "AlertFacet" });

export const SummaryBody = Type.Object(
  {
    ...Coverage,
    interval_s: Type.Integer(),
    buckets: Type.Array(BucketBody, {
      description: "by last_seen; alerts that were also seen later count in the last bucket; empty buckets are omitted",
    }),
    facets: Type.Object(Object.fromEntries(FACETS.map((field) => [field, Type.Optional(Type.Array(FacetBody))])), {
      description: "the 20 most frequent values of each field; null stands for alerts without a value",
    }),
  },
  { title: "AlertSummary" },
);
export type Bucket = Static<typeof BucketBody>;
/** The period in which the alerts were seen. */
export interface Span {
  from: Date;
  to: Date;
}
export interface Facet {
  value: string | null;
  count: number;
}
export interface SummaryCoverage extends Span {
  total: number;
  is_estimate: boolean;
  is_partial: boolean;
  covered_from: Date | null;
}
export interface AlertSummary extends SummaryCoverage {
  interval_s: number;
  buckets: Bucket[];
  facets: Partial<Record<FacetField, Facet[]>>;
}

const GroupBody = Type.Object(
  {
    key: Type.String({ description: "the value by which the list is filtered to see the alerts of the group" }),
    label: Type.String({ description: "the title of the newest alert" }),
    alerts: Type.Integer(),
    occurrences: Type.Integer(),
    severities: SeverityCounts,
    open: Type.Integer({ description: "alerts that are new, triaged or investigating" }),
    assignees: Type.Array(Type.String()),
    first_seen: Time,
    last_seen: Time,
    sample_ids: Type.Array(Type.String(), { description: "the newest three" }),
  },
  { title: "AlertGroup" },
);
export type AlertGroup = Static<typeof GroupBody>;
export const GroupsBody = Type.Object({ ...Coverage, items: Type.Array(GroupBody) }, { title: "AlertGroupPage" });
export interface AlertGroups extends SummaryCoverage {
  items: AlertGroup[];
}
