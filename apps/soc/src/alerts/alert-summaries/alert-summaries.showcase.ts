import type { Alert } from "../alerts/alert.ts";
import { type AlertSelection, isListed, toFilterKeys } from "../alerts/alert-filters.ts";
import type { AlertGroup, Bucket, Facet, FacetField, Span, SummaryCoverage } from "./alert-summaries.schema.ts";
import { type AlertSummariesStore, KEYS, MAX_SAMPLES, MAX_VALUES } from "./alert-summaries.store.ts";
import { findBucket } from "./interval.ts";
import { countSeverities } from "./severity-counts.ts";

const OPEN: readonly string[] = ["new", "triaged", "investigating"];

/** Computes the same summaries over the alerts of the showcase. */
export function createShowcaseAlertSummaries(alerts: readonly Alert[]): AlertSummariesStore {
  const find = (filters: AlertSelection) => alerts.filter((alert) => isListed(alert, filters));

  return {
    async summarise(_scope, { filters, span, fields, interval_s }) {
      const found = find(filters);
      const facets = fields.map((field): [FacetField, Facet[]] => [field, countValues(found, field)]);
      const buckets = countBuckets(found, span, interval_s);
      return { ...cover(span, found), interval_s, buckets, facets: Object.fromEntries(facets) };
    },

    async group(_scope, { filters, span, by, limit }) {
      const found = find(filters).toSorted(byNewest);
      const groups = groupBy(
        found.flatMap((alert) => listValues(alert, by).map((key) => ({ key, alert }))),
        ({ key }) => key,
      );
      const items = [...groups].flatMap(([key, members]) =>
        key === null
          ? []
          : [
              toGroup(
                key,
                members.map(({ alert }) => alert),
              ),
            ],
      );
      const sorted = items.toSorted((a, b) => b.alerts - a.alerts || compare(a.key, b.key));
      return { ...cover(span, found), items: sorted.slice(0, limit) };
    },
  };
}

function cover(span: Span, found: readonly Alert[]): SummaryCoverage {
  return { ...span, total: found.length, is_estimate: false, is_partial: false, covered_from: null };
}

function countBuckets(found: readonly Alert[], { to }: Span, interval_s: number): Bucket[] {
  const buckets = groupBy(found, ({ last_seen }) => findBucket(last_seen, to, interval_s).getTime());
  return [...buckets]
    .map(([at, members]) => ({ at: new Date(at), ...countSeverities(members.map(({ severity }) => severity)) }))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

function countValues(found: readonly Alert[], field: FacetField): Facet[] {
  const values = groupBy(
    found.flatMap((alert) => listValues(alert, field)),
    (value) => value,
  );
  return [...values]
    .map(([value, members]) => ({ value, count: members.length }))
    .toSorted((a, b) => b.count - a.count || compare(a.value ?? "\uffff", b.value ?? "\uffff"))
    .slice(0, MAX_VALUES);
}

function listValues(alert: Alert, field: FacetField): (string | null)[] {
  const start = KEYS[field];
  if (start === undefined) return [readColumn(alert, field)];
  return toFilterKeys(alert)
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length));
}

function readColumn(alert: Alert, field: FacetField): string | null {
  if (field === "severity" || field === "status" || field === "source") return alert[field];
  return field === "assignee" ? alert.assignee : alert.case_id;
}

function toGroup(key: string, members: readonly Alert[]): AlertGroup {
  const assignees = members.flatMap(({ assignee }) => (assignee === null ? [] : [assignee]));
  return {
    key,
    label: members[0]?.title ?? "",
    alerts: members.length,
    occurrences: members.reduce((sum, { occurrence_count }) => sum + occurrence_count, 0),
    severities: countSeverities(members.map(({ severity }) => severity)),
    open: members.filter(({ status }) => OPEN.includes(status)).length,
    assignees: [...new Set(assignees)].toSorted(),
    first_seen: new Date(Math.min(...members.map(({ first_seen }) => first_seen.getTime()))),
    last_seen: new Date(Math.max(...members.map(({ last_seen }) => last_seen.getTime()))),
    sample_ids: members.slice(0, MAX_SAMPLES).map(({ id }) => id),
  };
}

function byNewest(a: Alert, b: Alert): number {
  return b.last_seen.getTime() - a.last_seen.getTime() || compare(b.id, a.id);
}

/** Compares by code point, as the database does. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
