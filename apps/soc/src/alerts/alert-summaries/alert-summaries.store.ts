import { sql } from "kysely";
import type { Scope } from "../../foundation/caller/caller.ts";
import { isInScope } from "../../foundation/caller/in-scope.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { countUpTo, guessTotal } from "../../foundation/lists/keyset.ts";
import { ALERT_COLUMNS } from "../alerts/alert.ts";
import { type AlertSelection, searchWords } from "../alerts/alert-filters.ts";
import type { AlertQuery } from "../alerts/alert-query.ts";
import { filterAlerts, hasWords, isChecked, planWords } from "../alerts/alert-selection.ts";
import type { Severity } from "../alerts/alerts.schema.ts";
import type {
  AlertGroup,
  AlertGroups,
  AlertSummary,
  Bucket,
  Facet,
  FacetField,
  Grouping,
  Span,
  SummaryCoverage,
} from "./alert-summaries.schema.ts";
import { countSeverities } from "./severity-counts.ts";

export interface WantedSummary {
  filters: AlertSelection;
  span: Span;
  fields: readonly FacetField[];
  interval_s: number;
}

export interface WantedGroups {
  filters: AlertSelection;
  span: Span;
  by: Grouping;
  limit: number;
}

export interface AlertSummariesStore {
  summarise(scope: Scope, wanted: WantedSummary): Promise<AlertSummary>;
  group(scope: Scope, wanted: WantedGroups): Promise<AlertGroups>;
}

/** Above this number, only the newest alerts are counted. */
const MAX_COUNTED = 10_000;
/** If the table cannot answer a query, this many of the newest alerts are checked one by one. */
const MAX_CHECKED = 2000;
export const MAX_VALUES = 20;
export const MAX_SAMPLES = 3;

/** The prefixes of the filter keys of a field. The other fields are columns. */
export const KEYS: Partial<Record<FacetField, string>> = {
  ...{ host: "host:", user: "user:", rule_id: "rule:", site: "site:", tag: "tag:", technique: "technique:" },
};

export function createAlertSummariesStore(db: Db, maxCounted = MAX_COUNTED): AlertSummariesStore {
  /** Selects the alerts to count. The oldest of them shows how much of the filter they cover. */
  async function cover(scope: Scope, { filters, span }: Pick<WantedSummary, "filters" | "span">) {
    const found = await selectFound(db, scope, filters);
    if (filters.query && !filters.query.isExact) return coverChecked(scope, filters, span, filters.query);
    const seen = await countUpTo(db, found, maxCounted + 1);
    if (seen <= maxCounted) {
      const covered: SummaryCoverage = {
        ...span,
        total: seen,
        is_estimate: false,
        is_partial: false,
        covered_from: null,
      };
      return { counted: found, toCovered: () => covered };
    }
    const { total } = await guessTotal(db, { rows: found, share: 1 }, seen);
    const newest = found.orderBy("last_seen", "desc").orderBy("id", "desc");
    const covered = { ...span, total, is_estimate: true, is_partial: true };
    const toCovered = (oldest: Date | null): SummaryCoverage => ({ ...covered, covered_from: oldest ?? span.from });
    return { counted: newest.limit(maxCounted), toCovered };
  }

  async function coverChecked(scope: Scope, filters: AlertSelection, span: Span, query: AlertQuery) {
    const possible = filterAlerts(selectAlerts(db, scope), filters)
      .select(ALERT_COLUMNS)
      .where(hasWords(searchWords(filters.q)));
    const rows = await possible
      .orderBy("last_seen", "desc")
      .orderBy("id", "desc")
      .limit(MAX_CHECKED + 1)
      .execute();
    const checked = rows.slice(0, MAX_CHECKED);
    const ids = checked.filter((alert) => query.matches(alert)).map(({ id }) => id);
    const counted = selectAlerts(db, scope).select(COUNTED).where(sql<boolean>`id = ANY(${ids}::uuid[])`);
    const isWhole = rows.length === checked.length;
    const share = isWhole ? 1 : ids.length / checked.length;
    const { total } = isWhole ? { total: ids.length } : await guessTotal(db, { rows: possible, share }, ids.length);
    const covered_from = isWhole ? null : (checked.at(-1)?.last_seen ?? span.from);
    const covered: SummaryCoverage = { ...span, total, is_estimate: !isWhole, is_partial: !isWhole, covered_from };
    return { counted, toCovered: () => covered };
  }

  return {
    async summarise(scope, wanted) {
      const { fields, span, interval_s } = wanted;
      const { counted, toCovered } = await cover(scope, wanted);
      const columns = fields.filter((field) => KEYS[field] === undefined);
      const keyed = fields.filter((field) => KEYS[field] !== undefined);
      const parts = [
        ...[OLDEST, selectBuckets(span, interval_s), ...columns.map(selectFacet)],
        ...(keyed.length > 0 ? [selectKeyFacets(keyed)] : []),
      ];
      const { rows } = await sql<CountRow>`
        WITH counted AS MATERIALIZED (${counted}), facets AS (${sql.join(parts, sql` UNION ALL `)})
        SELECT * FROM facets`.execute(db);
      const ofField = (field: string) => rows.filter((row) => row.field === field);
      const covered = toCovered(rows.find(({ field }) => field === "oldest")?.at ?? null);
      const facets = fields.map((field): [FacetField, Facet[]] => [
        field,
        ofField(field).map(({ value, count }) => ({ value, count })),
      ]);
      return { ...covered, interval_s, buckets: toBuckets(ofField("at")), facets: Object.fromEntries(facets) };
    },

    async group(scope, wanted) {
      const { by, limit } = wanted;
      const { counted, toCovered } = await cover(scope, wanted);
      const { rows } = await sql<GroupRow>`
        WITH counted AS MATERIALIZED (${counted}),
          keyed AS (${selectKeyed(by)}), grouped AS (
        SELECT key, (array_agg(title ORDER BY last_seen DESC, id DESC))[1] AS label, count(*)::int AS alerts,
          sum(occurrence_count)::float8 AS occurrences, array_agg(severity::text) AS severities,
          count(*) FILTER (WHERE status IN ('new', 'triaged', 'investigating'))::int AS open,
          array_remove(array_agg(DISTINCT assignee), NULL) AS assignees,
          min(first_seen) AS first_seen, max(last_seen) AS last_seen,
          (array_agg(id::text ORDER BY last_seen DESC, id DESC))[1:${sql.lit(MAX_SAMPLES)}] AS sample_ids
        FROM keyed GROUP BY key ORDER BY alerts DESC, key LIMIT ${limit})
        SELECT * FROM (SELECT min(last_seen) AS oldest FROM counted) AS ends LEFT JOIN grouped ON true
        ORDER BY alerts DESC, key`.execute(db);
      const items = rows.filter(({ key }) => key !== null).map(toGroup);
      return { ...toCovered(rows[0]?.oldest ?? null), items };
    },
  };
}

interface GroupRow extends Omit<AlertGroup, "severities"> {
  severities: Severity[];
  /** Covers all alerts; a row without a key has no other values. */
  oldest: Date | null;
}

interface CountRow {
  field: string;
  value: string | null;
  severity: Severity;
  count: number;
  at: Date | null;
}

const OLDEST = sql`(SELECT 'oldest' AS field, NULL::text AS value, NULL::text AS severity, 0 AS count, min(last_seen) AS at FROM counted)`;

function toGroup({ severities, oldest: _, ...group }: GroupRow): AlertGroup {
  return { ...group, severities: countSeverities(severities) };
}

const COUNTED = [
  ...(["id", "title", "severity", "status", "source", "assignee", "case_id", "occurrence_count"] as const),
  ...(["first_seen", "last_seen", "filter_keys"] as const),
] as const;

function selectAlerts(db: Db, scope: Scope) {
  return db.selectFrom("alerts").where(isInScope(scope));
}

async function selectFound(db: Db, scope: Scope, filters: AlertSelection) {
  const words = searchWords(filters.q);
  const found = filterAlerts(selectAlerts(db, scope), filters).select(COUNTED);
  if (words.length === 0) return found;
  const { indexed, checked } = await planWords(db, { scope, isInScope: isInScope(scope), words, needed: MAX_COUNTED });
  return found.where(hasWords(indexed)).where(isChecked(checked));
}

function selectBuckets({ to }: Span, interval_s: number) {
  const at = sql`floor(extract(epoch FROM least(last_seen, ${to}::timestamptz - interval '1 millisecond')) / ${interval_s}::int)`;
  return sql`(SELECT 'at' AS field, (${at} * ${interval_s}::int)::bigint::text AS value, severity::text AS severity, count(*)::int AS count,
    NULL::timestamptz AS at FROM counted GROUP BY 2, 3 ORDER BY 2)`;
}

/** Counts alerts without a value separately, because an absent key cannot be grouped. */
function selectFacet(field: FacetField) {
  return sql`(SELECT ${field}::text AS field, ${sql.ref(field)}::text AS value, NULL::text AS severity, count(*)::int AS count,
    NULL::timestamptz AS at FROM counted GROUP BY value ORDER BY count DESC, value LIMIT ${MAX_VALUES})`;
}

/** Counts all key fields in one pass over the keys. */
function selectKeyFacets(fields: readonly FacetField[]) {
  const starts = fields.map((field) => KEYS[field]?.slice(0, -1) ?? field);
  return sql`(SELECT field, value, NULL::text, count, NULL::timestamptz FROM (
      SELECT *, row_number() OVER (PARTITION BY field ORDER BY count DESC, value) AS place FROM (
        SELECT split_part(key, ':', 1) AS start, substr(key, strpos(key, ':') + 1) AS value, count(*)::int AS count
        FROM counted, unnest(filter_keys) AS key GROUP BY key
      ) AS keys JOIN unnest(${starts}::text[], ${[...fields]}::text[]) AS wanted (start, field) USING (start)
    ) AS placed WHERE place <= ${MAX_VALUES} ORDER BY field, place)`;
}

function selectKeyed(by: Grouping) {
  const start = KEYS[by];
  if (start === undefined) return sql`SELECT counted.*, case_id::text AS key FROM counted WHERE case_id IS NOT NULL`;
  return sql`SELECT counted.*, substr(name, ${start.length + 1}::int) AS key FROM counted, unnest(filter_keys) AS name
    WHERE starts_with(name, ${start})`;
}

interface BucketRow {
  value: string | null;
  severity: Severity;
  count: number;
}

function toBuckets(rows: readonly BucketRow[]): Bucket[] {
  const buckets = new Map<number, Bucket>();
  for (const { value, severity, count } of rows) {
    const at = Number(value) * 1000;
    const bucket = buckets.get(at) ?? { at: new Date(at), ...countSeverities([]) };
    buckets.set(at, { ...bucket, [severity]: count });
  }
  return [...buckets.values()].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
