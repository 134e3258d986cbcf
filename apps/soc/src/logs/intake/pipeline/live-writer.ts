import { type RawBuilder, sql } from "kysely";

/** A writer whose session is gone has ended after this long: an insert that it had started is over by then. */
const SESSION_GRACE = sql.lit(5);
/** After a restart of the database, writers need time to reopen their sessions. */
const RESTART_GRACE = sql.lit(15);

/** The advisory lock of a writer's session. */
export function sessionLock(writer: unknown): RawBuilder<unknown> {
  return sql`hashtextextended('log writer ' || ${writer}, 0)`;
}

/** Whether a row of log_writers belongs to a live process. */
export function isLive(withinSeconds: number): RawBuilder<boolean> {
  return sql`(
    seen_at > now() - make_interval(secs => ${withinSeconds}::float8)
    AND NOT (
      has_session AND seen_at < now() - make_interval(secs => ${SESSION_GRACE})
      AND pg_postmaster_start_time() < now() - make_interval(secs => ${RESTART_GRACE})
      AND NOT EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND objsubid = 1
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND ((classid::bigint << 32) | objid::bigint) = ${sessionLock(sql.ref("writer"))}
      )
    )
  )`;
}
