import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "../../foundation/database/tables.ts";
import type { Silence } from "./pipeline/silence.ts";

export interface SourceCounts {
  source: string;
  received: number;
  stored: number;
  rejected: number;
  late: number;
  last_seen: Date;
}

export interface SourceState extends SourceCounts {
  silent_since: Date | null;
}

export interface SourcesStore {
  /** A gap before `listeningSince` says nothing about the source: no process was listening. */
  add(counts: readonly SourceCounts[], listeningSince: Date): Promise<void>;
  /**
   * Marks sources that have been quiet for longer than usual, each once, and returns them. They are reported in the
   * transaction that marks them: if the report fails, the next call finds them again.
   */
  markSilent(now: Date, listeningSince: Date, report: ReportSilences): Promise<Silence[]>;
  /** The thousand sources that were seen last. */
  all(): Promise<SourceState[]>;
}

export type ReportSilences = (tx: Transaction<Tables>, silences: readonly Silence[]) => Promise<void>;

const MAX_SOURCES = 10_000;
const MAX_STATES = 1000;
// Arrivals closer together than this count as one: a source that is never quiet for long is not monitored to the
// second.
const SHORTEST_INTERVAL_MS = 10_000;
// A long gap is forgotten after ten times its length has passed without another one.
const FORGETS_AFTER = sql.lit(10);
// The gap that ends a silence may be an outage, or the source sends less often than assumed: adapt in steps.
const MAX_GROWTH = sql.lit(4);
const GAPS_TO_LEARN = 3;
// A silence must be reported within two usual intervals: it is detected after one and a half, which leaves half an
// interval for the check.
const PATIENCE = 1.5;

export function createSourcesStore(db: Kysely<Tables>): SourcesStore {
  return {
    async add(counts, listeningSince) {
      const ordered = counts.toSorted((a, b) => (a.source < b.source ? -1 : 1));
      const column = <Name extends keyof SourceCounts>(name: Name) => ordered.map((each) => each[name]);
      // Use the longest recent gap: the mean says little about a source that sends in bursts.
      const lastSeen = sql`greatest(known.last_seen, ${listeningSince}::timestamptz)`;
      const gap = sql`greatest(extract(epoch FROM excluded.last_seen - ${lastSeen})::float8 * 1000, 0)`;
      await sql`
        INSERT INTO log_sources AS known (source, received, stored, rejected, late, last_seen)
        SELECT source, received, stored, rejected, late, seen FROM unnest(${column("source")}::text[],
          ${column("received")}::bigint[], ${column("stored")}::bigint[], ${column("rejected")}::bigint[],
          ${column("late")}::bigint[], ${column("last_seen")}::timestamptz[])
          AS given (source, received, stored, rejected, late, seen)
        WHERE EXISTS (SELECT FROM log_sources AS old WHERE old.source = given.source)
          OR (SELECT count(*) FROM log_sources) < ${MAX_SOURCES}
        ON CONFLICT (source) DO UPDATE SET
          received = known.received + excluded.received,
          stored = known.stored + excluded.stored,
          rejected = known.rejected + excluded.rejected,
          late = known.late + excluded.late,
          interval_ms = greatest(
            least(${gap}, CASE WHEN known.silent_since IS NULL THEN 'infinity' ELSE ${MAX_GROWTH} * known.interval_ms END),
            known.interval_ms * exp(-least(${gap} / greatest(${FORGETS_AFTER} * known.interval_ms, 1), 50)),
            ${SHORTEST_INTERVAL_MS}::float8),
          gaps = least(known.gaps + (excluded.last_seen > known.last_seen)::int, 1000),
          last_seen = greatest(known.last_seen, excluded.last_seen),
          -- Counts that are written late do not end a later silence.
          silent_since = CASE WHEN excluded.last_seen > known.last_seen THEN NULL ELSE known.silent_since END`.execute(
        db,
      );
    },

    markSilent(now, listeningSince, report) {
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql<Silence>`
          UPDATE log_sources SET silent_since = last_seen
          WHERE silent_since IS NULL AND gaps >= ${GAPS_TO_LEARN}
            AND greatest(last_seen, ${listeningSince}::timestamptz)
              < ${now}::timestamptz - make_interval(secs => interval_ms * ${PATIENCE}::float8 / 1000)
          RETURNING source, silent_since, interval_ms`.execute(tx);
        if (rows.length > 0) await report(tx, rows);
        return rows;
      });
    },

    async all() {
      const { rows } = await sql<SourceState>`
        SELECT source, received::float8, stored::float8, rejected::float8, late::float8, last_seen, silent_since
        FROM log_sources ORDER BY last_seen DESC LIMIT ${MAX_STATES}`.execute(db);
      return rows;
    },
  };
}
