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
  /** What was not heard before `listeningSince` says nothing about the source: nobody was there to hear it. */
  add(counts: readonly SourceCounts[], listeningSince: Date): Promise<void>;
  /**
   * Marks those that have been quiet for longer than is usual for them, each once, and answers them. They are told in the
   * transaction that marks them: what could not be told is found again.
   */
  markSilent(now: Date, listeningSince: Date, tell: ReportSilences): Promise<Silence[]>;
  /** The latest thousand. */
  all(): Promise<SourceState[]>;
}

export type ReportSilences = (tx: Transaction<Tables>, silences: readonly Silence[]) => Promise<void>;

const MAX_SOURCES = 10_000;
const MAX_STATES = 1000;
// Arrivals closer together than this are one: a source that is never quiet for long is not watched to the second.
const SHORTEST_INTERVAL_MS = 10_000;
// A long gap is forgotten while so many of its length pass without another one.
const FORGETS_AFTER = sql.lit(10);
// What ends a silence may have been one, or the source comes more seldom than was known: it is learned in steps.
const MAX_GROWTH = sql.lit(4);
const GAPS_TO_LEARN = 3;
// Told within two of its usual intervals: after one and a half, which leaves half of one to look.
const PATIENCE = 1.5;

export function createSourcesStore(db: Kysely<Tables>): SourcesStore {
  return {
    async add(counts, listeningSince) {
      const ordered = counts.toSorted((a, b) => (a.source < b.source ? -1 : 1));
      const column = <Name extends keyof SourceCounts>(name: Name) => ordered.map((each) => each[name]);
      // The longest of the gaps of late: of a source that comes in bursts a mean would say little.
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
          -- What came before is counted late, and ends no silence.
          silent_since = CASE WHEN excluded.last_seen > known.last_seen THEN NULL ELSE known.silent_since END`.execute(
        db,
      );
    },

    markSilent(now, listeningSince, tell) {
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql<Silence>`
          UPDATE log_sources SET silent_since = last_seen
          WHERE silent_since IS NULL AND gaps >= ${GAPS_TO_LEARN}
            AND greatest(last_seen, ${listeningSince}::timestamptz)
              < ${now}::timestamptz - make_interval(secs => interval_ms * ${PATIENCE}::float8 / 1000)
          RETURNING source, silent_since, interval_ms`.execute(tx);
        if (rows.length > 0) await tell(tx, rows);
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
