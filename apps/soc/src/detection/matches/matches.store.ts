import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { type Match, type MatchRow, NEWEST_FIRST } from "./match.ts";
import type { ListMatchesQuery } from "./matches.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    detection_matches: MatchRow;
  }
}

/** Reads outside of change transactions. */
export interface MatchesStore {
  list(rule_id: string, query: ListMatchesQuery): Promise<Page<Match>>;
  /**
   * Counts the UTC days from the first instant up to the second on which each rule had matches; rules without matches
   * are missing.
   */
  countDays(rule_ids: readonly string[], from: Date, to: Date): Promise<ReadonlyMap<string, number>>;
}

export function createMatchesStore(db: Db): MatchesStore {
  return {
    list: (rule_id, query) => {
      let listed = db
        .selectFrom("detection_matches")
        .innerJoin("detection_rules", "detection_rules.id", "detection_matches.rule_id")
        .select([
          "detection_matches.id",
          "rule_id",
          "rule_version",
          "log_id",
          "log_ingested_at",
          "matched_at",
          "run_id",
          "alert_id",
          "suppression_id",
          "exception_id",
          sql<string | null>`sigma ->> 'author'`.as("author"),
          sql<string | null>`sigma ->> 'license'`.as("license"),
        ])
        .where("rule_id", "=", rule_id);
      if (query.suppressed !== undefined) {
        listed = listed.where(sql<boolean>`coalesce(suppression_id, exception_id) IS NOT NULL`, "=", query.suppressed);
      }
      return readPage(db, listed, NEWEST_FIRST, query);
    },

    async countDays(rule_ids, from, to) {
      const { rows } = await sql<{ rule_id: string; days: number }>`
        SELECT rule_id, count(DISTINCT date_trunc('day', hour, 'UTC'))::int AS days FROM detection_counts
        WHERE rule_id = ANY(${rule_ids.filter(isUuid)}::uuid[]) AND matches > 0 AND hour >= ${from} AND hour < ${to}
        GROUP BY rule_id`.execute(db);
      return new Map(rows.map(({ rule_id, days }) => [rule_id, days]));
    },
  };
}

/** Another transaction is storing matches of the same rule. */
export class RuleBusy extends Error {}

type KeptMatch = Omit<MatchRow, "rule_version" | "run_id" | "suppression_id" | "exception_id">;

export interface RuleCounts {
  rule_id: string;
  at: Date;
  runs: number;
  matches: number;
  suppressed: number;
  /** Logs that exceptions have hidden; they are not matches. */
  excepted?: number;
  /** Alerts that did not exist before. */
  alerts?: number;
}

/** The writes of a transaction, and the reads that they need. */
export function createMatchesWriter(tx: Db) {
  return {
    /**
     * Takes the lock under which matches of the rule are stored, until the transaction ends. Non-blocking: if the lock is
     * taken, roll back and retry, so that no connection is held.
     */
    async requireRule(rule_id: string): Promise<void> {
      const { rows } = await sql<{ is_free: boolean }>`
        SELECT pg_try_advisory_xact_lock(${MATCHES_LOCK}, hashtext(${rule_id})) AS is_free`.execute(tx);
      if (rows[0]?.is_free !== true) throw new RuleBusy(rule_id);
    },

    /** The ones of these logs that the rule has already matched. */
    async findMatched(rule_id: string, log_ids: readonly string[]): Promise<ReadonlySet<string>> {
      const matched = new Set<string>();
      for (const part of toBatches(log_ids)) {
        const { rows } = await sql<{ log_id: string }>`
          SELECT log_id FROM detection_matches WHERE rule_id = ${rule_id} AND log_id = ANY(${part}::text[])`.execute(
          tx,
        );
        for (const { log_id } of rows) matched.add(log_id);
      }
      return matched;
    },

    /**
     * Stores the matches of one run of one rule. A duplicate fails the transaction, because it would be reported twice.
     */
    async insert(matches: readonly MatchRow[]): Promise<void> {
      for (const part of toBatches(matches)) {
        const [first] = part;
        await sql`
          INSERT INTO detection_matches
            (id, rule_id, log_id, rule_version, log_ingested_at, matched_at, run_id, alert_id, suppression_id, exception_id)
          SELECT id, ${first?.rule_id}::uuid, log_id, ${first?.rule_version}::integer, log_ingested_at,
            ${first?.matched_at}::timestamptz, ${first?.run_id}::uuid, alert_id, suppression_id, exception_id
          FROM unnest(${part.map(({ id }) => id)}::uuid[], ${part.map(({ log_id }) => log_id)}::text[],
            ${part.map(({ log_ingested_at }) => log_ingested_at)}::timestamptz[],
            ${part.map(({ alert_id }) => alert_id)}::uuid[],
            ${part.map(({ suppression_id }) => suppression_id)}::uuid[],
            ${part.map(({ exception_id }) => exception_id)}::uuid[])
            AS given (id, log_id, log_ingested_at, alert_id, suppression_id, exception_id)`.execute(tx);
      }
    },

    /** The alert of this match; undefined if the rule has not matched the log, or if the match is hidden. */
    async findAlertId(rule_id: string, log_id: string): Promise<string | undefined> {
      const match = await tx
        .selectFrom("detection_matches")
        .select("alert_id")
        .where("rule_id", "=", rule_id)
        .where("log_id", "=", log_id)
        .executeTakeFirst();
      return match?.alert_id ?? undefined;
    },

    /** Stores a match of the current version of the rule, or unhides a hidden one. Returns whether it is new. */
    async keep(match: KeptMatch): Promise<boolean> {
      const { id, rule_id, log_id, log_ingested_at, matched_at, alert_id } = match;
      const { rows } = await sql<{ is_new: boolean }>`
        INSERT INTO detection_matches (id, rule_id, log_id, rule_version, log_ingested_at, matched_at, alert_id)
        SELECT ${id}::uuid, id, ${log_id}, version, ${log_ingested_at}::timestamptz, ${matched_at}::timestamptz, ${alert_id}::uuid
        FROM detection_rules WHERE id = ${rule_id}
        ON CONFLICT (rule_id, log_id) DO UPDATE SET alert_id = excluded.alert_id, suppression_id = NULL, exception_id = NULL
        RETURNING xmax = 0 AS is_new`.execute(tx);
      return rows[0]?.is_new === true;
    },

    /** Updates the hourly metrics in the same transaction. Locks in rule order, as everywhere else, to avoid deadlocks. */
    async addCounts(counts: readonly RuleCounts[]): Promise<void> {
      const some = counts
        .filter(
          ({ runs, matches, suppressed, excepted = 0, alerts = 0 }) =>
            runs + matches + suppressed + excepted + alerts > 0,
        )
        .toSorted((a, b) => (a.rule_id < b.rule_id ? -1 : 1));
      if (some.length === 0) return;
      await sql`
        INSERT INTO detection_counts AS counted (rule_id, hour, runs, matches, suppressed, excepted, alerts)
        SELECT rule_id, date_trunc('hour', at, 'UTC'), sum(runs), sum(matches), sum(suppressed), sum(excepted),
          sum(alerts)
        FROM unnest(${some.map(({ rule_id }) => rule_id)}::uuid[], ${some.map(({ at }) => at)}::timestamptz[],
          ${some.map(({ runs }) => runs)}::integer[], ${some.map(({ matches }) => matches)}::integer[],
          ${some.map(({ suppressed }) => suppressed)}::integer[],
          ${some.map(({ excepted = 0 }) => excepted)}::integer[], ${some.map(({ alerts = 0 }) => alerts)}::integer[])
          AS given (rule_id, at, runs, matches, suppressed, excepted, alerts)
        GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (rule_id, hour) DO UPDATE SET runs = counted.runs + excluded.runs,
          matches = counted.matches + excluded.matches, suppressed = counted.suppressed + excluded.suppressed,
          excepted = counted.excepted + excluded.excepted, alerts = counted.alerts + excluded.alerts`.execute(tx);
    },

    /** How many matches, alerts and hidden logs the rule has in the hour that contains this instant. */
    async countRaised(rule_id: string, at: Date): Promise<{ matches: number; alerts: number; excepted: number }> {
      const { rows } = await sql<{ matches: number; alerts: number; excepted: number }>`
        SELECT matches, alerts, excepted FROM detection_counts
        WHERE rule_id = ${rule_id} AND hour = date_trunc('hour', ${at}::timestamptz, 'UTC')`.execute(tx);
      return rows[0] ?? { matches: 0, alerts: 0, excepted: 0 };
    },

    /** Deletes matches before this instant, at most 5,000 per call to keep locks short. Returns their number. */
    async sweep(before: Date): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM detection_matches WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM detection_matches WHERE matched_at < ${before} ORDER BY matched_at LIMIT 5000))`.execute(tx);
      return Number(numAffectedRows);
    },

    /** Deletes the metrics of hours before this instant, at most 5,000 per call. Returns their number. */
    async sweepCounts(before: Date): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM detection_counts WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM detection_counts WHERE hour < ${before} ORDER BY hour LIMIT 5000))`.execute(tx);
      return Number(numAffectedRows);
    },
  };
}

/** Rows per statement, so that a statement stays far below its timeout. */
const MATCHES_BATCH_SIZE = 1000;

// A key that no other transaction-level advisory lock uses.
const MATCHES_LOCK = 7_315_014;

function toBatches<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / MATCHES_BATCH_SIZE) }, (_, at) =>
    items.slice(at * MATCHES_BATCH_SIZE, (at + 1) * MATCHES_BATCH_SIZE),
  );
}

export function createShowcaseMatchesStore(matches: readonly Match[]): MatchesStore {
  return {
    list: async (rule_id, query) =>
      pageInMemory(
        matches,
        NEWEST_FIRST,
        query,
        (match) =>
          match.rule_id === rule_id &&
          (query.suppressed === undefined ||
            query.suppressed === (match.suppression_id !== null || match.exception_id !== null)),
      ),
    countDays: async (rule_ids, from, to) => {
      const days = new Map<string, Set<string>>();
      for (const { rule_id, matched_at } of matches) {
        if (!rule_ids.includes(rule_id) || matched_at < from || matched_at >= to) continue;
        days.set(rule_id, (days.get(rule_id) ?? new Set()).add(matched_at.toISOString().slice(0, "2026-01-01".length)));
      }
      return new Map([...days].map(([rule_id, those]) => [rule_id, those.size]));
    },
  };
}
