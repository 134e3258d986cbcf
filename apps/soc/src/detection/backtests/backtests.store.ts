import { sql } from "kysely";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import {
  type Backtest,
  type BacktestResult,
  type BacktestRow,
  BUCKETS,
  type ClaimedBacktest,
  NEWEST_FIRST,
} from "./backtest.ts";
import type { ListBacktestsQuery } from "./backtests.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    detection_backtests: BacktestRow;
  }
}

/** Reads outside of change transactions. Callers see their own backtests; administrators see all. */
export interface BacktestsStore {
  list(caller: Caller, query: ListBacktestsQuery): Promise<Page<Backtest>>;
  find(caller: Caller, id: string): Promise<(Backtest & Pick<BacktestRow, "result">) | undefined>;
  /** The histogram and the groups of the stored logs; empty after the end. */
  summarise(backtest: Pick<Backtest, "id" | "window_from" | "window_to">): Promise<Omit<BacktestResult, "known">>;
}

const GROUPS = 10;

export function createBacktestsStore(db: Db): BacktestsStore {
  return {
    list(caller, { status, rule_id, ...query }) {
      let listed = createVisible(db, caller);
      if (status !== undefined) listed = listed.where("status", "in", status);
      if (rule_id !== undefined) listed = listed.where("rule_id", "in", rule_id);
      return readPage(db, listed, NEWEST_FIRST, query);
    },

    async find(caller, id) {
      if (!isUuid(id)) return undefined;
      return createVisible(db, caller).select("result").where("id", "=", id).executeTakeFirst();
    },

    async summarise({ id, window_from, window_to }) {
      const stepMs = Math.ceil((window_to.getTime() - window_from.getTime()) / BUCKETS);
      const { rows: counted } = await sql<{ place: number; count: number }>`
        SELECT greatest(0, floor(extract(epoch FROM ingested_at - ${window_from}::timestamptz) * 1000 / ${stepMs}))::int AS place,
          count(*)::int AS count
        FROM detection_backtest_logs WHERE backtest_id = ${id} GROUP BY 1`.execute(db);
      const counts = new Map(counted.map(({ place, count }) => [place, count]));
      const histogram = Array.from({ length: BUCKETS }, (_, place) => ({
        at: new Date(window_from.getTime() + place * stepMs).toISOString(),
        count: counts.get(place) ?? 0,
      }));
      const { rows: groups } = await sql<BacktestResult["groups"][number]>`
        SELECT field, value, count, sample_log_id FROM (
          SELECT field, value, count(*)::int AS count, max(log_id) AS sample_log_id,
            row_number() OVER (PARTITION BY field ORDER BY count(*) DESC, value) AS place
          FROM detection_backtest_logs, LATERAL (VALUES ('host', host), ('user', "user")) AS named (field, value)
          WHERE backtest_id = ${id} AND value <> '' GROUP BY field, value
        ) AS ranked WHERE place <= ${GROUPS} ORDER BY field, place`.execute(db);
      return { histogram: histogram.filter(({ at }) => at < window_to.toISOString()), groups };
    },
  };
}

function createVisible(db: Db, { username, role }: Caller) {
  const all = db.selectFrom("detection_backtests").select([
    ...(["id", "rule_id", "requested_by", "status", "window_from", "window_to", "is_capped", "error"] as const),
    ...(["created_at", "finished_at"] as const),
    sql<string>`rule ->> 'name'`.as("name"),
    sql<number>`(extract(epoch FROM position - window_from) / extract(epoch FROM window_to - window_from))::float8`.as(
      "progress",
    ),
    sql<number>`scanned::float8`.as("scanned"),
    sql<number>`excepted::float8`.as("excepted"),
    sql<number>`took_ms::float8`.as("took_ms"),
    // After the end, the count includes the logs that were stored.
    sql<number>`(more + CASE WHEN finished_at IS NULL THEN (SELECT count(*) FROM detection_backtest_logs
        WHERE backtest_id = detection_backtests.id) ELSE 0 END)::float8`.as("matches"),
  ]);
  return role === "admin" ? all : all.where("requested_by", "=", username);
}

/** The results of a finished slice. */
export interface SliceEnd {
  to: Date;
  logs: readonly { id: string; ingested_at: string; host: string; user: string }[];
  scanned: number;
  more: number;
  excepted: number;
  isCapped: boolean;
  took_ms: number;
}

/** How many matched logs one backtest stores; the rest is only counted. */
const MAX_LOGS = 100_000;
// A key that no other transaction-level advisory lock uses.
const BACKTESTS_LOCK = 7_315_061;

export function createBacktestsWriter(db: Db) {
  return {
    async insert(backtest: BacktestRow): Promise<void> {
      await db.insertInto("detection_backtests").values(backtest).execute();
    },

    /** How many backtests are unfinished in total and by this caller. Serialises requests. */
    async countUnfinished(requested_by: string): Promise<{ all: number; own: number }> {
      await sql`SELECT pg_advisory_xact_lock(${BACKTESTS_LOCK})`.execute(db);
      const { rows } = await sql<{ all: number; own: number }>`
        SELECT count(*)::int AS all, count(*) FILTER (WHERE requested_by = ${requested_by})::int AS own
        FROM detection_backtests WHERE finished_at IS NULL`.execute(db);
      return rows[0] ?? { all: 0, own: 0 };
    },

    /** Locks the backtest until the transaction ends; undefined if the caller may not see it. */
    async lock(
      { username, role }: Caller,
      id: string,
    ): Promise<Pick<BacktestRow, "id" | "status" | "rule_id"> | undefined> {
      if (!isUuid(id)) return undefined;
      const found = db.selectFrom("detection_backtests").select(["id", "status", "rule_id"]).where("id", "=", id);
      return (role === "admin" ? found : found.where("requested_by", "=", username)).forUpdate().executeTakeFirst();
    },

    /** Ends the backtest and deletes its logs. */
    async end(
      id: string,
      status: "done" | "cancelled" | "failed",
      { result, error }: { result: BacktestResult; error: string | null },
    ): Promise<void> {
      await sql`
        UPDATE detection_backtests SET status = ${status}, error = ${error}, finished_at = clock_timestamp(),
          result = ${JSON.stringify(result)}::jsonb, worker = NULL,
          more = more + (SELECT count(*) FROM detection_backtest_logs WHERE backtest_id = ${id})
        WHERE id = ${id}`.execute(db);
      await sql`DELETE FROM detection_backtest_logs WHERE backtest_id = ${id}`.execute(db);
    },

    /** Claims the unfinished backtest that has waited longest for its next slice. */
    async claim(worker: string, leaseSeconds: number): Promise<ClaimedBacktest | undefined> {
      const { rows } = await sql<ClaimedBacktest>`
        UPDATE detection_backtests SET worker = ${worker}, status = 'running',
          leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
        WHERE id = (SELECT id FROM detection_backtests WHERE finished_at IS NULL AND leased_until <= clock_timestamp()
          ORDER BY leased_until, created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, rule_id, rule, requested_by, role, window_from, window_to, position, failures`.execute(db);
      return rows[0];
    },

    /** Extends the lease; false if the backtest has ended, or if another worker has it. */
    async renew(id: string, worker: string, leaseSeconds: number): Promise<boolean> {
      const { numAffectedRows = 0n } = await sql`
        UPDATE detection_backtests SET leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
        WHERE id = ${id} AND worker = ${worker} AND finished_at IS NULL`.execute(db);
      return numAffectedRows > 0n;
    },

    /**
     * Stores a finished slice and moves the position. Returns false if this worker no longer holds the slice: nothing is
     * stored, and another worker evaluates it again. `isDue`: the progress was not announced within the last second.
     */
    async advance(
      { id, position }: Pick<ClaimedBacktest, "id" | "position">,
      worker: string,
      { to, logs, scanned, more, excepted, isCapped, took_ms }: SliceEnd,
    ): Promise<{ isMoved: boolean; isDue: boolean }> {
      const { rows } = await sql<{ is_due: boolean; stored: number }>`
        SELECT notified_at < clock_timestamp() - interval '1 second' AS is_due,
          (SELECT count(*)::int FROM detection_backtest_logs WHERE backtest_id = ${id}) AS stored
        FROM detection_backtests WHERE id = ${id} AND worker = ${worker} AND position = ${position}
          AND finished_at IS NULL FOR UPDATE`.execute(db);
      const [held] = rows;
      if (!held) return { isMoved: false, isDue: false };
      const { rows: known } = await sql<{ log_id: string }>`
        SELECT log_id FROM detection_backtest_logs
        WHERE backtest_id = ${id} AND log_id = ANY(${logs.map((log) => log.id)}::text[])`.execute(db);
      const seen = new Set(known.map(({ log_id }) => log_id));
      const fresh = logs.filter((log) => !seen.has(log.id));
      const kept = fresh.slice(0, Math.max(0, MAX_LOGS - held.stored));
      await sql`
        INSERT INTO detection_backtest_logs (backtest_id, log_id, ingested_at, host, "user")
        SELECT ${id}::uuid, * FROM unnest(${kept.map((log) => log.id)}::text[],
          ${kept.map((log) => log.ingested_at)}::timestamptz[], ${kept.map((log) => log.host)}::text[],
          ${kept.map((log) => log.user)}::text[])`.execute(db);
      await sql`
        UPDATE detection_backtests SET position = ${to}, scanned = scanned + ${scanned},
          more = more + ${more + fresh.length - kept.length}, excepted = excepted + ${excepted},
          is_capped = is_capped OR ${isCapped || kept.length < fresh.length}, took_ms = took_ms + ${took_ms},
          failures = 0, worker = NULL, leased_until = clock_timestamp(),
          notified_at = CASE WHEN ${held.is_due} THEN clock_timestamp() ELSE notified_at END
        WHERE id = ${id}`.execute(db);
      return { isMoved: true, isDue: held.is_due };
    },

    /** Counts the failure of a slice, which is retried after this time. */
    async postpone({ id }: Pick<ClaimedBacktest, "id">, worker: string, seconds: number): Promise<void> {
      await sql`
        UPDATE detection_backtests SET failures = failures + 1, worker = NULL,
          leased_until = clock_timestamp() + make_interval(secs => ${seconds})
        WHERE id = ${id} AND worker = ${worker} AND finished_at IS NULL`.execute(db);
    },

    /** The newest matched logs. */
    async listNewest(id: string, limit: number): Promise<string[]> {
      const { rows } = await sql<{ log_id: string }>`
        SELECT log_id FROM detection_backtest_logs WHERE backtest_id = ${id}
        ORDER BY ingested_at DESC, log_id DESC LIMIT ${limit}`.execute(db);
      return rows.map(({ log_id }) => log_id);
    },

    /** Deletes backtests that ended before this instant, at most 100 per call. Returns their number. */
    async sweep(before: Date): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM detection_backtests WHERE id IN
          (SELECT id FROM detection_backtests WHERE finished_at < ${before} ORDER BY finished_at LIMIT 100)`.execute(
        db,
      );
      return Number(numAffectedRows);
    },
  };
}

export function createShowcaseBacktestsStore({ detections }: Pick<Showcase, "detections">): BacktestsStore {
  const { backtests } = detections;
  return {
    list: async (_caller, { status, rule_id, ...query }) =>
      pageInMemory(
        backtests,
        NEWEST_FIRST,
        query,
        (each) =>
          (status === undefined || status.includes(each.status)) &&
          (rule_id === undefined || (each.rule_id !== null && rule_id.includes(each.rule_id))),
      ),
    async find(_caller, id) {
      const found = backtests.find((each) => each.id === id);
      if (!found) return undefined;
      const { histogram, groups, known, ...backtest } = found;
      return { ...backtest, result: { histogram, groups, known } };
    },
    summarise: async () => ({ histogram: [], groups: [] }),
  };
}
