import { type Kysely, sql, type Transaction } from "kysely";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import { NOT_WATCHED, type Silence } from "./pipeline/silence.ts";

export interface SourceCounts {
  source: string;
  /** The sender that first named the source. */
  sender: string;
  received: number;
  stored: number;
  rejected: number;
  late: number;
  last_seen: Date;
}

export interface SourceState extends Omit<SourceCounts, "sender"> {
  silent_since: Date | null;
}

export type SourcesStore = ReturnType<typeof createSourcesStore>;

/** Returns the alerts, each with its sources. */
export type ReportSilences = (
  tx: Transaction<Tables>,
  silences: readonly Silence[],
) => Promise<readonly { alert_id: string; sources: readonly string[] }[]>;

// A source is watched after it has been sending for this long, so that one-off imports and tests are not reported.
const WARM_UP = sql.lit("6 hours");

const MAX_SOURCES = 10_000;
// Limits unauthenticated sources, which must not displace the others.
const MAX_OPEN_SOURCES = 5000;
// Per sender.
const MAX_SOURCES_PER_HOUR = 100;
const MAX_STATES = 1000;
const BATCH_SIZE = 1000;
// Arrivals closer together than this count as one: a source that is never quiet for long is not monitored to the
// second.
const SHORTEST_INTERVAL_MS = 10_000;
// A long gap is forgotten after ten times its length has passed without another one.
const FORGETS_AFTER = sql.lit(10);
// The gap that ends a silence may be an outage, or the source sends less often than assumed: adapt in steps.
const MAX_GROWTH = sql.lit(4);
const GAPS_TO_LEARN = 3;
// A silence must be reported within two usual intervals. It is detected after one and a half, which leaves half an
// interval for the check.
const PATIENCE = 1.5;

/** Plain syslog: anyone who reaches the port can send. */
const OPEN_SENDERS = "^syslog/(udp|tcp)";

export function createSourcesStore(db: Kysely<Tables>) {
  return {
    /** A gap before `listeningSince` says nothing about the source: no process was listening. */
    async add(counts: readonly SourceCounts[], listeningSince: Date): Promise<void> {
      const all = counts.toSorted((a, b) => (a.source < b.source ? -1 : 1));
      await db.transaction().execute(async (tx) => {
        for (let from = 0; from < all.length; from += BATCH_SIZE) {
          await addSome(tx, all.slice(from, from + BATCH_SIZE), listeningSince);
        }
      });
    },

    /**
     * Marks sources that have been quiet for longer than usual, each once, and returns them. They are reported in the
     * transaction that marks them: if the report fails, the next call finds them again.
     */
    markSilent(now: Date, listeningSince: Date, report: ReportSilences): Promise<Silence[]> {
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql<Silence>`
          UPDATE log_sources SET silent_since = last_seen
          WHERE silent_since IS NULL AND gaps >= ${GAPS_TO_LEARN} AND last_seen >= watched_from
            AND source <> ALL (${[...NOT_WATCHED]}::text[])
            AND NOT EXISTS (SELECT FROM log_source_settings AS settings
              WHERE settings.source = log_sources.source AND NOT settings.watch)
            AND greatest(last_seen, ${listeningSince}::timestamptz)
              < ${now}::timestamptz - make_interval(secs => interval_ms * ${PATIENCE}::float8 / 1000)
          RETURNING source, silent_since, interval_ms`.execute(tx);
        if (rows.length === 0) return rows;
        for (const { alert_id, sources } of await report(tx, rows)) {
          await sql`
            UPDATE log_sources SET silence_alert_id = ${alert_id} WHERE source = ANY(${sources}::text[])`.execute(tx);
        }
        return rows;
      });
    },

    /** Closes each alert whose sources all send again, in the transaction that forgets the alert. */
    async endSilences(close: (tx: Transaction<Tables>, alert_id: string) => Promise<void>): Promise<void> {
      const { rows } = await sql<{ alert_id: string }>`
        SELECT silence_alert_id AS alert_id FROM log_sources WHERE silence_alert_id IS NOT NULL
        GROUP BY silence_alert_id HAVING count(silent_since) = 0`.execute(db);
      for (const { alert_id } of rows) {
        await db.transaction().execute(async (tx) => {
          await close(tx, alert_id);
          await sql`
            UPDATE log_sources SET silence_alert_id = NULL
            WHERE silence_alert_id = ${alert_id} AND silent_since IS NULL`.execute(tx);
        });
      }
    },

    /** Deletes sources that have not been seen for long; returns their number. */
    async sweep(): Promise<number> {
      const { numAffectedRows } = await sql`
        DELETE FROM log_sources WHERE last_seen < now() - CASE
          WHEN is_open AND gaps < ${GAPS_TO_LEARN} THEN interval '1 day'
          WHEN is_open THEN interval '7 days' ELSE interval '30 days' END`.execute(db);
      return Number(numAffectedRows ?? 0);
    },

    /** The thousand most recently seen sources. */
    async all(): Promise<SourceState[]> {
      const { rows } = await sql<SourceState>`
        SELECT source, received::float8, stored::float8, rejected::float8, late::float8, last_seen, silent_since
        FROM log_sources ORDER BY last_seen DESC LIMIT ${MAX_STATES}`.execute(db);
      return rows;
    },

    /** The ones of these sources that were seen in the last 30 days. */
    async find(sources: readonly string[]): Promise<Pick<SourceState, "source" | "last_seen" | "silent_since">[]> {
      const { rows } = await sql<Pick<SourceState, "source" | "last_seen" | "silent_since">>`
        SELECT source, last_seen, silent_since FROM log_sources WHERE source = ANY(${[...sources]}::text[])`.execute(
        db,
      );
      return rows;
    },
  };
}

export function createSourcesWriter(tx: Db) {
  return {
    /** Stores sources that this platform has not counted itself. They are watched once they have sent for some hours. */
    async insertKnown(states: readonly SourceState[], sender: string): Promise<void> {
      for (const { source, received, stored, rejected, late, last_seen, silent_since } of states) {
        await sql`
          INSERT INTO log_sources
            (source, sender, is_open, received, stored, rejected, late, last_seen, silent_since, watched_from)
          VALUES (${source}, ${sender}, false, ${received}, ${stored}, ${rejected}, ${late}, ${last_seen}, ${silent_since},
            now() + interval ${WARM_UP})`.execute(tx);
      }
    },
  };
}

/** Names are sorted, so that two processes lock the rows in the same order. */
async function addSome(tx: Db, ordered: readonly SourceCounts[], listeningSince: Date): Promise<void> {
  const column = <Name extends keyof SourceCounts>(name: Name) => ordered.map((each) => each[name]);
  // Uses the longest recent gap: the mean says little about a source that sends in bursts.
  const lastSeen = sql`greatest(known.last_seen, ${listeningSince}::timestamptz)`;
  const gap = sql`greatest(extract(epoch FROM excluded.last_seen - ${lastSeen})::float8 * 1000, 0)`;
  await sql`
    WITH given AS (
      SELECT *, sender ~ ${OPEN_SENDERS} AS is_open FROM unnest(${column("source")}::text[],
        ${column("sender")}::text[], ${column("received")}::bigint[], ${column("stored")}::bigint[],
        ${column("rejected")}::bigint[], ${column("late")}::bigint[], ${column("last_seen")}::timestamptz[])
        AS listed (source, sender, received, stored, rejected, late, seen)
    ),
    fresh AS (
      SELECT source, sender, is_open, row_number() OVER (ORDER BY source) AS place,
        row_number() OVER (PARTITION BY sender ORDER BY source) AS place_of_sender,
        row_number() OVER (PARTITION BY is_open ORDER BY source) AS place_of_kind
      FROM given WHERE NOT EXISTS (SELECT FROM log_sources AS old WHERE old.source = given.source)
    ),
    recent AS (
      SELECT sender, count(*) AS made FROM log_sources
      WHERE created_at > now() - interval '1 hour' AND sender IN (SELECT sender FROM fresh) GROUP BY sender
    ),
    admitted AS (
      SELECT source FROM fresh LEFT JOIN recent USING (sender)
      WHERE place <= ${MAX_SOURCES}::bigint - (SELECT count(*) FROM log_sources)
        AND (NOT is_open OR (place_of_sender <= ${MAX_SOURCES_PER_HOUR}::bigint - coalesce(made, 0)
          AND place_of_kind <= ${MAX_OPEN_SOURCES}::bigint - (SELECT count(*) FROM log_sources WHERE is_open)))
    )
    INSERT INTO log_sources AS known (source, sender, is_open, received, stored, rejected, late, last_seen, watched_from)
    SELECT source, sender, is_open, received, stored, rejected, late, seen, seen + interval ${WARM_UP} FROM given
    WHERE source NOT IN (SELECT source FROM fresh) OR source IN (SELECT source FROM admitted)
    ORDER BY source
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
      silent_since = CASE WHEN excluded.last_seen > known.last_seen THEN NULL ELSE known.silent_since END`.execute(tx);
}
