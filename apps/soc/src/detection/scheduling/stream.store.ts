import { type Kysely, sql } from "kysely";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import type { StreamHealth } from "../../foundation/health/health.ts";
import type { EvaluationPlan } from "../../logs/module.ts";
import type { Window } from "../rules/schedule.ts";
import { createCoverageWriter } from "./accounting.store.ts";
import type { Gap } from "./accounting.ts";
import { createGapsWriter } from "./gaps.store.ts";
import { createScheduleWriter } from "./schedule.store.ts";

export interface StreamState {
  /** All logs with an earlier ingested_at were evaluated. */
  position: Date;
  /** Changes whenever a rule changes. */
  generation: string;
}

export interface Advance extends Window {
  generation: string;
  /** Rules whose matches could not be raised; the window is backfilled for them. */
  failed: readonly string[];
  /** Rules that could not be evaluated on every log; the time is counted as capped. */
  capped: readonly string[];
  /** Silent sources; the time of their rules is counted as silent. */
  silent: readonly string[];
}

/** The durable position of the stream. */
export type StreamStore = ReturnType<typeof createStreamStore>;

export type ReportBehind = (tx: Tx, position: Date) => Promise<void>;

const MAX_SILENT_SOURCES = 10_000;
// A leader that raises many matches renews its lease late.
const LATE_LEADER_SECONDS = 10;

/** A frozen process must not prevent rules from changing. */
const MAX_IDLE_MS = "2000";

/** What a transaction that claims logs reads about the stream. */
export function createStreamPlanStore(tx: Tx) {
  return {
    /**
     * The rules that apply, and from which ingest time on. The rules cannot change before the end of the transaction.
     */
    async find(): Promise<EvaluationPlan> {
      const { rows } = await sql<{ generation: string; frontier: Date | null }>`
        SELECT generation, frontier, set_config('idle_in_transaction_session_timeout', ${MAX_IDLE_MS}, true)
        FROM detection_stream FOR SHARE`.execute(tx);
      return { generation: rows[0]?.generation ?? "0", floorMs: rows[0]?.frontier?.getTime() ?? 0 };
    },
  };
}

export function createStreamStore(db: Kysely<Tables>) {
  return {
    /** Acquires or renews the leader lease. Undefined while another worker holds it. */
    async lead(worker: string, seconds: number): Promise<StreamState | undefined> {
      const { rows } = await sql<StreamState>`
        UPDATE detection_stream SET leader = ${worker}, leads_until = now() + make_interval(secs => ${seconds})
        WHERE leader = ${worker} OR leads_until < now() RETURNING position, generation`.execute(db);
      return rows[0];
    },

    /**
     * Moves the position to the end of the window. Returns false if it is not the next window, or if the rules have
     * changed since.
     */
    advance: ({ from, to, generation, failed, capped, silent }: Advance): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        const { numAffectedRows = 0n } = await sql`
          UPDATE detection_stream SET position = ${to}
          WHERE position = ${from} AND generation = ${generation}`.execute(tx);
        if (numAffectedRows === 0n) return false;
        if (silent.length > 0) {
          const { rows } = await sql<Gap>`
            UPDATE detection_coverage SET ran_s = ran_s - silence.seconds, silent_s = silent_s + silence.seconds
            FROM (
              SELECT rule_id, extract(epoch FROM ${to}::timestamptz - greatest(window_from, ${from}))::float8 AS seconds,
                greatest(window_from, ${from}) AS since
              FROM detection_coverage
              WHERE owner = 'stream' AND source = ANY(${[...silent]}) AND window_from < ${to}
              ORDER BY rule_id FOR UPDATE
            ) AS silence WHERE detection_coverage.rule_id = silence.rule_id
            RETURNING silence.rule_id, 'silent' AS reason, since AS "from", ${to}::timestamptz AS "to"`.execute(tx);
          await createGapsWriter(tx).insert(rows);
        }
        const coverage = createCoverageWriter(tx);
        for (const rule_id of capped.toSorted()) await coverage.accountCapped(rule_id, { from, to });
        // The time range already counts as streamed, so the backfill adds no seconds.
        await createScheduleWriter(tx).insertBackfills(
          failed.map((rule_id) => ({ rule_id, reason: "failed", from, to, seconds: 0 })),
        );
        return true;
      }),

    async resign(worker: string): Promise<void> {
      await sql`UPDATE detection_stream SET leads_until = '-infinity' WHERE leader = ${worker}`.execute(db);
    },

    async generation(): Promise<string> {
      const { rows } = await sql<{ generation: string }>`SELECT generation FROM detection_stream`.execute(db);
      return rows[0]?.generation ?? "";
    },

    async silentSources(): Promise<ReadonlySet<string>> {
      const { rows } = await sql<{ source: string }>`
        SELECT source FROM log_sources WHERE silent_since IS NOT NULL LIMIT ${MAX_SILENT_SOURCES}`.execute(db);
      return new Set(rows.map(({ source }) => source));
    },

    async health(): Promise<StreamHealth> {
      const { rows } = await sql<StreamHealth>`
        SELECT greatest(extract(epoch FROM clock_timestamp() - position), 0)::float8 AS lag_s,
          leads_until > now() - make_interval(secs => ${LATE_LEADER_SECONDS}) AS "isLed"
        FROM detection_stream`.execute(db);
      return rows[0] ?? { lag_s: 0, isLed: false };
    },

    /**
     * Marks the stream if it is further behind than this, once until it has caught up. It is reported in the transaction
     * that marks it: if the report fails, the next call finds it again. Time before `watchingSince` does not count.
     */
    markBehind: (seconds: number, watchingSince: Date, report: ReportBehind): Promise<Date | undefined> =>
      db.transaction().execute(async (tx) => {
        const limit = sql`now() - make_interval(secs => ${seconds})`;
        await sql`UPDATE detection_stream SET behind_since = NULL
          WHERE behind_since IS NOT NULL AND position >= ${limit}`.execute(tx);
        const { rows } = await sql<{ position: Date }>`UPDATE detection_stream SET behind_since = position
          WHERE behind_since IS NULL AND greatest(position, ${watchingSince}::timestamptz) < ${limit}
          RETURNING position`.execute(tx);
        const position = rows[0]?.position;
        if (position) await report(tx, position);
        return position;
      }),
  };
}
