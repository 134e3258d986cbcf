import type { Clock } from "@kit/clock";
import { chooseInterval } from "../../alerts/module.ts";
import type { Scope } from "../../foundation/caller/caller.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { buildLogSelection } from "../search/log-selection.ts";
import { ATTEMPTS, type Attempt, coverNewest } from "./coverage.ts";
import type {
  Aggregate,
  AggregateRequest,
  Histogram,
  HistogramQuery,
  LogFacets,
  LogFacetsQuery,
} from "./log-summaries.schema.ts";
import type { LogSummariesStore } from "./log-summaries.store.ts";
import type { BucketCount } from "./log-summary.ts";
import { parseMetric, requireGroupField } from "./metric.ts";

export interface LogSummariesServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: LogSummariesStore; showcase: LogSummariesStore };
  clock: Pick<Clock, "now">;
  /** Tests set longer limits, so that a busy machine does not change the result. */
  attempts?: readonly Attempt[] | undefined;
}
export type LogSummariesService = ReturnType<typeof createLogSummariesService>;

const DEFAULT_BUCKETS = 60;
const MAX_NAMED = 10;
const DEFAULT_VALUES = 10;
const DEFAULT_FIELDS = ["severity", "source", "host", "user", "event_code"];
const DEFAULT_ROWS = 100;

/**
 * Counts the logs that a search would find. Each response has a time limit, after which it covers only the newest logs.
 */
export function createLogSummariesService({ runtime, stores, clock, attempts = ATTEMPTS }: LogSummariesServiceDeps) {
  return {
    async histogram(scope: Scope, query: HistogramQuery, signal?: AbortSignal): Promise<Histogram> {
      const { buckets = DEFAULT_BUCKETS, by = "severity" } = query;
      const now = clock.now();
      const selection = buildLogSelection(scope, query, now);
      const interval_s = chooseInterval(selection, buckets);
      const widthMs = interval_s * 1000;
      const originMs = Math.floor(selection.from.getTime() / widthMs) * widthMs;
      const store = await runtime.choose(stores);
      const { covered, result = [] } = await coverNewest({ window: selection, now, attempts }, (window, maxSeconds) =>
        store.histogram({ selection: { ...selection, ...window }, originMs, widthMs, by }, { maxSeconds, signal }),
      );
      const counted = toBuckets(result, (bucket) => new Date(originMs + bucket * widthMs));
      const total = counted.reduce((sum, bucket) => sum + bucket.total, 0);
      return { ...covered, is_estimate: covered.is_partial, interval_s, by, total, buckets: counted };
    },

    async facets(scope: Scope, query: LogFacetsQuery, signal?: AbortSignal): Promise<LogFacets> {
      const { limit = DEFAULT_VALUES } = query;
      const names = [...new Set(query.fields ?? DEFAULT_FIELDS)];
      const fields = names.map((name) => requireGroupField("fields", name));
      const now = clock.now();
      const selection = buildLogSelection(scope, query, now);
      const store = await runtime.choose(stores);
      const { covered, result } = await coverNewest({ window: selection, now, attempts }, (window, maxSeconds) =>
        store.facets({ selection: { ...selection, ...window }, fields, limit }, { maxSeconds, signal }),
      );
      const { total = 0, facets = [] } = result ?? {};
      const counted = facets.map((facet, place) => {
        const named = facet.values.reduce((sum, { count }) => sum + count, 0);
        return { field: names[place] ?? "", ...facet, other: Math.max(0, total - facet.missing - named) };
      });
      const is_estimate = covered.is_partial || counted.some((facet) => facet.is_estimate);
      return { ...covered, is_estimate, total, facets: counted };
    },

    async aggregate(scope: Scope, request: AggregateRequest, signal?: AbortSignal): Promise<Aggregate> {
      const { group_by = [], limit = DEFAULT_ROWS } = request;
      const names = [...new Set(group_by)];
      const groupBy = names.map((name) => requireGroupField("group_by", name));
      const metrics = [...new Set(request.metrics ?? ["count"])].map(parseMetric);
      const now = clock.now();
      const selection = buildLogSelection(scope, request, now);
      const store = await runtime.choose(stores);
      const { covered, result = [] } = await coverNewest({ window: selection, now, attempts }, (window, maxSeconds) =>
        store.aggregate(
          { selection: { ...selection, ...window }, groupBy, metrics, limit: limit + 1 },
          { maxSeconds, signal },
        ),
      );
      const rows = result.slice(0, limit).map(({ group, metrics: values }) => ({
        group: Object.fromEntries(names.map((name, place) => [name, group[place] ?? null])),
        metrics: Object.fromEntries(metrics.map(({ name }, place) => [name, values[place] ?? null])),
      }));
      const isApproximate = metrics.some(({ kind }) => kind === "distinct");
      return { ...covered, is_estimate: covered.is_partial || isApproximate, rows, has_more: result.length > limit };
    },
  };
}

/** The most frequent values are named. Other values, and logs without a value, count only in the total. */
function toBuckets(counts: readonly BucketCount[], toStart: (bucket: number) => Date): Histogram["buckets"] {
  const sums = new Map<string, number>();
  for (const { value, count } of counts) if (value !== "") sums.set(value, (sums.get(value) ?? 0) + count);
  const frequent = [...sums].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_NAMED);
  const named = new Set(frequent.map(([value]) => value));
  const buckets = new Map<number, { total: number; by: Map<string, number> }>();
  for (const { bucket, value, count, total } of counts) {
    const held = buckets.get(bucket) ?? { total, by: new Map() };
    buckets.set(bucket, held);
    if (named.has(value)) held.by.set(value, count);
  }
  return [...buckets]
    .toSorted(([a], [b]) => a - b)
    .map(([bucket, { total, by }]) => ({ at: toStart(bucket), total, by: Object.fromEntries(by) }));
}
