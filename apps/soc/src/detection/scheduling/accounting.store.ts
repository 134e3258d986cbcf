import { type Kysely, sql } from "kysely";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import type { Window } from "../rules/schedule.ts";
import {
  type Account,
  buildRanCoverage,
  type Coverage,
  computeAccount,
  computeTransition,
  type Gap,
  type OwnedRule,
  type Owner,
} from "./accounting.ts";
import type { RuleVersion } from "./dispatcher.ts";
import { createGapsWriter } from "./gaps.store.ts";
import { createScheduleWriter } from "./schedule.store.ts";

/** Stores which worker evaluates which rule, and how the time of each rule is accounted for. */
export type AccountingStore = ReturnType<typeof createAccountingStore>;

const BATCH_SIZE = 1000;
const MAX_RULES = 100_000;
// A key that no other transaction-level advisory lock uses.
const SYNC_LOCK = 7_315_001;

type ComparisonColumns = { [Field in keyof OwnedRule]: OwnedRule[Field] | null } & { known: Coverage | null };

export interface AccountingOptions {
  /**
   * With partitions: an ingest time above that of all claimed groups, read while no new claim can read the rules.
   * Without partitions, one worker evaluates logs in order, and its position is the frontier.
   */
  findFrontier?: ((tx: Db) => Promise<Date>) | undefined;
}

export function createAccountingStore(db: Kysely<Tables>, { findFrontier }: AccountingOptions = {}) {
  return {
    /**
     * Updates the coverage from the rules and returns the number of changed rules. Any process may call it; one runs at a
     * time.
     */
    sync: (): Promise<number> =>
      db.transaction().execute(async (tx) => {
        const { rows: locks } = await sql<{ is_locked: boolean }>`
          SELECT pg_try_advisory_xact_lock(${SYNC_LOCK}) AS is_locked`.execute(tx);
        if (locks[0]?.is_locked !== true) return 0;
        // Lock the position first, as `advance` does: the stream cannot advance with the old rules while they change.
        const { rows } = await sql<{ position: Date }>`SELECT position FROM detection_stream FOR UPDATE`.execute(tx);
        const changed = await findChanged(tx);
        if (changed.length === 0) return 0;
        const position = rows[0]?.position ?? new Date(0);
        const frontier = await findFrontier?.(tx);
        await sql`
          UPDATE detection_stream SET generation = generation + 1, frontier = ${frontier ?? null}::timestamptz`.execute(
          tx,
        );
        await forget(tx, changed);
        const transitions = changed.flatMap(({ known, ...rule }) =>
          isRule(rule) ? [computeTransition(known ?? undefined, rule, position, frontier)] : [],
        );
        await upsert(
          tx,
          transitions.map(({ coverage }) => coverage),
        );
        await createScheduleWriter(tx).insertBackfills(transitions.flatMap(({ backfill }) => backfill ?? []));
        await createGapsWriter(tx).insert(transitions.flatMap(({ gap }) => gap ?? []));
        return changed.length;
      }),

    /** The rules that the coverage assigns to the owner. */
    async listOwned(owner: Owner): Promise<RuleVersion[]> {
      const { rows } = await sql<RuleVersion>`
        SELECT rule_id AS id, version FROM detection_coverage WHERE owner = ${owner}
        ORDER BY rule_id LIMIT ${MAX_RULES}`.execute(db);
      return rows;
    },

    async account(rule_ids: readonly string[]): Promise<Account[]> {
      const { rows } = await sql<Coverage & { waiting_s: number; position: Date; now: Date }>`
        SELECT coverage.*, stream.position, clock_timestamp()::timestamptz(3) AS now,
          coalesce((SELECT sum(seconds) FROM detection_backfills AS each WHERE each.rule_id = coverage.rule_id), 0)
          + coalesce((SELECT sum(extract(epoch FROM window_to - window_from)) FROM detection_batches AS batch
            WHERE finished_at IS NULL AND coverage.rule_id = ANY(batch.rule_ids)), 0)::float8 AS waiting_s
        FROM detection_coverage AS coverage, detection_stream AS stream
        WHERE coverage.rule_id = ANY(${[...rule_ids]}::uuid[]) ORDER BY rule_id LIMIT ${BATCH_SIZE}`.execute(db);
      return rows.map(({ waiting_s, position, now, ...coverage }) =>
        computeAccount(coverage, waiting_s, position, now),
      );
    },
  };
}

/** Stream passes are at most this far apart, so the time between two capped passes is capped as well. */
const STREAM_GAP_SECONDS = 10;

export function createCoverageWriter(tx: Db) {
  return {
    /**
     * Accounts for time on the stream as capped instead of ran. Idempotent: a window that is evaluated again counts once.
     */
    async accountCapped(rule_id: string, { from, to }: Window): Promise<void> {
      const { rows } = await sql<Gap>`
        UPDATE detection_coverage AS coverage SET ran_s = ran_s - capped.seconds, capped_s = capped_s + capped.seconds,
          capped_until = greatest(capped_until, ${to}::timestamptz)
        FROM (
          SELECT rule_id, since, greatest(0, extract(epoch FROM ${to}::timestamptz - since))::float8 AS seconds
          FROM (
            SELECT rule_id, greatest(window_from,
              CASE WHEN capped_until >= ${from}::timestamptz - make_interval(secs => ${STREAM_GAP_SECONDS})
                THEN capped_until ELSE ${from}::timestamptz END) AS since
            FROM detection_coverage WHERE rule_id = ${rule_id} AND owner = 'stream' FOR UPDATE
          ) AS locked
        ) AS capped WHERE coverage.rule_id = capped.rule_id
        RETURNING capped.rule_id, 'capped' AS reason, since AS "from", ${to}::timestamptz AS "to"`.execute(tx);
      await createGapsWriter(tx).insert(rows.filter((gap) => gap.from < gap.to));
    },

    /** Accounts for all time of all rules as ran: nothing before the position of the stream is evaluated again. */
    async accountAllRan(): Promise<void> {
      const { rows } = await sql<OwnedRule & { position: Date }>`
        SELECT rule_id, version, owner, interval_minutes, source, changed_at, position
        FROM detection_owners, detection_stream LIMIT ${MAX_RULES}`.execute(tx);
      const coverages = rows.map(({ position, ...rule }) => buildRanCoverage(rule, position));
      await upsert(tx, coverages);
    },
  };
}

/** Rules that were added, deleted or changed since the last sync. */
async function findChanged(tx: Db): Promise<ComparisonColumns[]> {
  const { rows } = await sql<Omit<ComparisonColumns, "known"> & { known_rule_id: string | null }>`
    SELECT coalesce(rule.rule_id, known.rule_id) AS rule_id, rule.version, rule.owner, rule.interval_minutes,
      rule.source, rule.changed_at, known.rule_id AS known_rule_id
    FROM detection_owners AS rule FULL JOIN detection_coverage AS known ON known.rule_id = rule.rule_id
    WHERE (rule.version, rule.owner, rule.interval_minutes, rule.source)
      IS DISTINCT FROM (known.version, known.owner, known.interval_minutes, known.source)
    LIMIT ${BATCH_SIZE}`.execute(tx);
  const ids = rows.flatMap(({ known_rule_id }) => known_rule_id ?? []);
  const { rows: locked } = await sql<Coverage>`
    SELECT * FROM detection_coverage WHERE rule_id = ANY(${ids}::uuid[]) ORDER BY rule_id FOR UPDATE`.execute(tx);
  const known = new Map(locked.map((each) => [each.rule_id, each]));
  return rows.map(({ known_rule_id: id, ...rule }) => ({ ...rule, known: (id && known.get(id)) || null }));
}

function isRule(rule: Omit<ComparisonColumns, "known">): rule is OwnedRule {
  return rule.owner !== null;
}

async function forget(tx: Db, changed: readonly ComparisonColumns[]): Promise<void> {
  const gone = changed.filter((each) => !isRule(each)).map(({ rule_id }) => rule_id);
  if (gone.length === 0) return;
  await sql`DELETE FROM detection_coverage WHERE rule_id = ANY(${gone}::uuid[])`.execute(tx);
  await sql`DELETE FROM detection_backfills WHERE rule_id = ANY(${gone}::uuid[])`.execute(tx);
}

async function upsert(tx: Db, coverages: readonly Coverage[]): Promise<void> {
  if (coverages.length === 0) return;
  await sql`
    INSERT INTO detection_coverage
    SELECT * FROM jsonb_populate_recordset(NULL::detection_coverage, ${JSON.stringify(coverages)}::jsonb)
    ON CONFLICT (rule_id) DO UPDATE SET version = excluded.version, owner = excluded.owner,
      interval_minutes = excluded.interval_minutes, source = excluded.source,
      window_from = excluded.window_from, next_run_at = excluded.next_run_at, ran_s = excluded.ran_s,
      skipped_s = excluded.skipped_s`.execute(tx);
}
