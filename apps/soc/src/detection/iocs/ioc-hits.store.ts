import { type Kysely, sql } from "kysely";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import type { Indicator } from "./indicator.ts";
import type { IocHit, IocSeverity } from "./ioc.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    ioc_hits: IocHit & { ioc_id: string };
  }
}

export interface HitRow extends IocHit {
  ioc_id: string;
}

export interface SeenIoc extends Indicator {
  id: string;
  severity: IocSeverity;
  source: string;
  confidence: number;
}

export function createIocHitsStore(db: Db) {
  return {
    /** The active ones of these indicators, locked until the transaction ends. */
    async lockActive(ids: readonly string[], now: Date): Promise<SeenIoc[]> {
      const { rows } = await sql<SeenIoc>`
        SELECT id, type, value, severity, source, confidence FROM iocs
        WHERE id = ANY(${ids}::uuid[]) AND (expires_at IS NULL OR expires_at > ${now})
        ORDER BY id FOR NO KEY UPDATE`.execute(db);
      return rows;
    },

    /** Stores and counts new hits, and returns them as `ioc log`. */
    async insert(hits: readonly HitRow[]): Promise<Set<string>> {
      if (hits.length === 0) return new Set();
      const { rows } = await sql<{ ioc_id: string; log_id: string }>`
        WITH fresh AS (
          INSERT INTO ioc_hits (id, ioc_id, log_id, log_ingested_at, seen_at)
          SELECT * FROM unnest(
            ${hits.map(({ id }) => id)}::uuid[], ${hits.map(({ ioc_id }) => ioc_id)}::uuid[],
            ${hits.map(({ log_id }) => log_id)}::text[],
            ${hits.map(({ log_ingested_at }) => log_ingested_at)}::timestamptz[],
            ${hits.map(({ seen_at }) => seen_at)}::timestamptz[])
          ON CONFLICT DO NOTHING RETURNING ioc_id, log_id, log_ingested_at
        ), counted AS (
          UPDATE iocs SET hits = hits + seen.times, last_seen = greatest(last_seen, seen.at)
          FROM (SELECT ioc_id, count(*)::int AS times, max(log_ingested_at) AS at FROM fresh GROUP BY ioc_id) AS seen
          WHERE iocs.id = seen.ioc_id
        )
        SELECT ioc_id, log_id FROM fresh`.execute(db);
      return new Set(rows.map(({ ioc_id, log_id }) => `${ioc_id} ${log_id}`));
    },

    /** The known active indicators among these values, and the networks that contain one of the addresses. */
    async findKnown(
      { values, addresses }: { values: readonly string[]; addresses: readonly string[] },
      now: Date,
      maxCount: number,
    ): Promise<string[]> {
      const { rows } = await sql<{ value: string }>`
        SELECT value FROM iocs WHERE value = ANY(${values}::text[]) AND (expires_at IS NULL OR expires_at > ${now})
        UNION
        SELECT value FROM iocs, unnest(${addresses}::inet[]) AS address
        WHERE type = 'cidr' AND network >>= address AND (expires_at IS NULL OR expires_at > ${now})
        ORDER BY value LIMIT ${maxCount}`.execute(db);
      return rows.map(({ value }) => value);
    },

    /** Deletes hits before an instant and indicators that expired before one, in batches. Returns their number. */
    async sweep({ hitsBefore, endedBefore }: { hitsBefore: Date; endedBefore: Date }): Promise<number> {
      const hits = await sql`DELETE FROM ioc_hits WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ioc_hits WHERE seen_at < ${hitsBefore} ORDER BY seen_at LIMIT ${SWEEP_BATCH_SIZE}))`.execute(
        db,
      );
      const iocs = await sql`DELETE FROM iocs WHERE id = ANY(ARRAY(
        SELECT id FROM iocs WHERE expires_at < ${endedBefore} ORDER BY expires_at LIMIT ${SWEEP_BATCH_SIZE / 10}))`.execute(
        db,
      );
      return Number((hits.numAffectedRows ?? 0n) + (iocs.numAffectedRows ?? 0n));
    },
  };
}

export interface ListedIoc extends Indicator {
  id: string;
}

export interface ChangedIoc extends ListedIoc {
  changed_by: string;
}

/** The reads of processes that cache indicators in memory. */
export type ChangedIocsStore = ReturnType<typeof createChangedIocsStore>;

export function createChangedIocsStore(db: Kysely<Tables>) {
  return {
    // After a restore, rows can have transaction ids of another server that this one has not reached: those are not
    // changes.
    /**
     * The transaction id below which all transactions have ended, and whether an indicator has changed since the given
     * id.
     */
    async look(since: string): Promise<{ settled: string; hasChanged: boolean }> {
      const { rows } = await sql<{ settled: string; has_changed: boolean }>`
        SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS settled,
          coalesce((SELECT changed_by FROM iocs WHERE changed_by < pg_snapshot_xmax(pg_current_snapshot())
            ORDER BY changed_by DESC, id DESC LIMIT 1) >= ${since}::xid8, false) AS has_changed`.execute(db);
      const [row] = rows;
      return { settled: row?.settled ?? since, hasChanged: row?.has_changed ?? false };
    },

    /** The next page of all active indicators. */
    async list(afterId: string, limit: number): Promise<ListedIoc[]> {
      const { rows } = await sql<ListedIoc>`
        SELECT id, type, value FROM iocs
        WHERE id > ${afterId}::uuid AND (expires_at IS NULL OR expires_at > now())
        ORDER BY id LIMIT ${limit}`.execute(db);
      return rows;
    },

    /** The next page of active indicators that this transaction or a later one has changed. */
    async next({ changed_by, id }: Pick<ChangedIoc, "id" | "changed_by">, limit: number): Promise<ChangedIoc[]> {
      const { rows } = await sql<ChangedIoc>`
        SELECT id, type, value, changed_by::text AS changed_by FROM iocs
        WHERE (changed_by, id) > (${changed_by}::xid8, ${id}::uuid)
          AND changed_by < pg_snapshot_xmax(pg_current_snapshot()) AND (expires_at IS NULL OR expires_at > now())
        ORDER BY iocs.changed_by, id LIMIT ${limit}`.execute(db);
      return rows;
    },
  };
}

export interface UnsearchedIoc extends Indicator {
  id: string;
}

/** The indicators that have not been searched in stored logs yet. */
export type SearchesStore = ReturnType<typeof createSearchesStore>;

const MAX_ATTEMPTS = 10;

export function createSearchesStore(db: Kysely<Tables>) {
  return {
    /** Claims some indicators under a lease; after it expires, another worker may claim them. */
    async claim(seconds: number, maxCount: number): Promise<UnsearchedIoc[]> {
      const { rows } = await sql<UnsearchedIoc>`
        UPDATE iocs SET search_attempts = search_attempts + 1, search_claimed_until = now() + make_interval(secs => ${seconds})
        WHERE id IN (
          SELECT id FROM iocs
          WHERE searched_at IS NULL AND search_attempts < ${MAX_ATTEMPTS} AND (expires_at IS NULL OR expires_at > now())
            AND (search_claimed_until IS NULL OR search_claimed_until < now())
          ORDER BY created_at LIMIT ${maxCount} FOR NO KEY UPDATE SKIP LOCKED
        ) RETURNING id, type, value`.execute(db);
      return rows;
    },

    async keep(ids: readonly string[], seconds: number): Promise<void> {
      await sql`UPDATE iocs SET search_claimed_until = now() + make_interval(secs => ${seconds})
        WHERE id = ANY(${ids}::uuid[])`.execute(db);
    },

    async finish({ ids, capped, at }: { ids: readonly string[]; capped: readonly string[]; at: Date }): Promise<void> {
      await sql`UPDATE iocs SET searched_at = ${at}, search_claimed_until = NULL, search_attempts = 0,
          search_is_capped = id = ANY(${capped}::uuid[])
        WHERE id = ANY(${ids}::uuid[])`.execute(db);
    },
  };
}

const SWEEP_BATCH_SIZE = 5000;
