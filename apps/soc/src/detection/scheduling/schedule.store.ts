import { type Kysely, sql } from "kysely";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import { type Batch, computeDueWindow, groupIntoBatches, type Schedule, type Window } from "../rules/schedule.ts";
import type { Gap, NewBackfill } from "./accounting.ts";
import type { RuleVersion } from "./dispatcher.ts";
import { createGapsWriter } from "./gaps.store.ts";

/** How a window of a rule is accounted for. */
export interface WindowEnd {
  rule_id: string;
  end: "ran" | "capped" | "silent" | "skipped" | "failed";
}

export interface BatchRule extends RuleVersion {
  source: string;
  /** A single log is enough for a match. */
  isSingleEvent: boolean;
}

export interface UnfinishedBatch extends Batch {
  attempt: number;
}

/** The windows of rules: claimed from the schedule in order, without gaps, and each accounted for once. */
export type ScheduleStore = ReturnType<typeof createScheduleStore>;

const CLAIM_BATCH_SIZE = 500;
const MAX_OVERDUE = 1000;
const FORGET_BATCH_SIZE = 5000;

interface BatchRow {
  id: string;
  window_from: Date;
  window_to: Date;
  rule_ids: string[];
  attempt: number;
}

export function createScheduleStore(db: Kysely<Tables>) {
  return {
    /** Claims up to 500 rules that are due below the watermark and stores the batches that must run. */
    claimDue: (watermark: Date): Promise<{ batches: Batch[]; hasMore: boolean }> =>
      db.transaction().execute(async (tx) => {
        const { rows } = await sql<Schedule>`
          SELECT rule_id, interval_minutes, window_from, next_run_at FROM detection_coverage
          WHERE next_run_at <= ${watermark} ORDER BY next_run_at, window_from, rule_id
          LIMIT ${CLAIM_BATCH_SIZE} FOR UPDATE SKIP LOCKED
        `.execute(tx);
        if (rows.length === 0) return { batches: [], hasMore: false };
        const windows = rows.map((row) => computeDueWindow(row, watermark));
        const batches = groupIntoBatches(windows);
        await sql`
          UPDATE detection_coverage AS coverage SET window_from = due.window_to, next_run_at = due.next_run_at
          FROM unnest(${windows.map(({ rule_id }) => rule_id)}::uuid[], ${windows.map(({ to }) => to)}::timestamptz[],
            ${windows.map((window) => window.next_run_at)}::timestamptz[]) AS due (rule_id, window_to, next_run_at)
          WHERE coverage.rule_id = due.rule_id`.execute(tx);
        const written = batches.map(({ id, from, to, rule_ids }) => ({
          id,
          window_from: from,
          window_to: to,
          rule_ids,
        }));
        await sql`
          INSERT INTO detection_batches (id, window_from, window_to, rule_ids)
          SELECT id, window_from, window_to, rule_ids
          FROM jsonb_populate_recordset(NULL::detection_batches, ${JSON.stringify(written)}::jsonb)`.execute(tx);
        return { batches, hasMore: rows.length === CLAIM_BATCH_SIZE };
      }),

    async findUnfinished(batch_id: string): Promise<UnfinishedBatch | undefined> {
      const { rows } = await sql<BatchRow>`
        SELECT id, window_from, window_to, rule_ids, attempt FROM detection_batches
        WHERE id = ${batch_id} AND finished_at IS NULL`.execute(db);
      return rows.map(toUnfinishedBatch)[0];
    },

    /** The enabled rules of the batch. */
    async listRules({ rule_ids }: Batch): Promise<BatchRule[]> {
      const { rows } = await sql<BatchRule>`
        SELECT rule_id AS id, version, source, is_single_event AS "isSingleEvent" FROM detection_owners
        WHERE rule_id = ANY(${rule_ids}::uuid[]) AND owner <> 'none' ORDER BY rule_id`.execute(db);
      return rows;
    },

    /** The rules of the batch that had already run before its worker crashed, and their results. */
    async listDone({ id, from, to, rule_ids }: Batch): Promise<Map<string, "ran" | "capped">> {
      const { rows } = await sql<{ rule_id: string; status: string }>`
        SELECT run.rule_id, run.status FROM detection_runs AS run, detection_batches AS batch
        WHERE batch.id = ${id} AND run.rule_id = ANY(${rule_ids}::uuid[]) AND run.started_at >= batch.created_at
          AND run.window_from = ${from} AND run.window_to = ${to}
          AND run.trigger_mode = 'scheduled' AND run.status <> 'failed'`.execute(db);
      return new Map(rows.map(({ rule_id, status }) => [rule_id, status === "capped" ? "capped" : "ran"]));
    },

    /** Batches that were claimed longer ago than this and are not finished. */
    async listOverdue(olderThanSeconds: number): Promise<UnfinishedBatch[]> {
      const { rows } = await sql<BatchRow>`
        SELECT id, window_from, window_to, rule_ids, attempt FROM detection_batches
        WHERE finished_at IS NULL AND created_at < now() - make_interval(secs => ${olderThanSeconds})
        ORDER BY created_at LIMIT ${MAX_OVERDUE}`.execute(db);
      return rows.map(toUnfinishedBatch);
    },

    /** Counts a new attempt after the batch failed as a whole; each attempt is a separate workflow. */
    async retry(batch_id: string, attempt: number): Promise<void> {
      await sql`
        UPDATE detection_batches SET attempt = ${attempt + 1} WHERE id = ${batch_id} AND attempt = ${attempt}`.execute(
        db,
      );
    },

    /**
     * Accounts for the windows of a batch and inserts a backfill for each failed one. Returns false if the batch was
     * already finished; then nothing changes, and `alongside` is not called.
     */
    finish: (batch: Batch, ends: readonly WindowEnd[], alongside: (tx: Db) => Promise<void>): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        const { numAffectedRows = 0n } = await sql`
          UPDATE detection_batches SET finished_at = clock_timestamp()
          WHERE id = ${batch.id} AND finished_at IS NULL`.execute(tx);
        if (numAffectedRows === 0n) return false;
        await alongside(tx);
        const seconds = (batch.to.getTime() - batch.from.getTime()) / 1000;
        const writer = createScheduleWriter(tx);
        await writer.account(ends, batch);
        await writer.insertBackfills(
          ends
            .filter(({ end }) => end === "failed")
            .map(({ rule_id }) => ({ rule_id, reason: "failed", from: batch.from, to: batch.to, seconds })),
        );
        return true;
      }),

    async forget(olderThanSeconds: number): Promise<void> {
      await sql`
        DELETE FROM detection_batches WHERE id IN (
          SELECT id FROM detection_batches WHERE finished_at < now() - make_interval(secs => ${olderThanSeconds})
          LIMIT ${FORGET_BATCH_SIZE})`.execute(db);
    },
  };
}

/** A failed window is backfilled, so it is late and not a gap yet. */
function isGap(end: WindowEnd["end"]): end is Gap["reason"] {
  return end !== "ran" && end !== "failed";
}

function toUnfinishedBatch({ id, window_from, window_to, rule_ids, attempt }: BatchRow): UnfinishedBatch {
  return { id, from: window_from, to: window_to, rule_ids, attempt };
}

/** The writes of a transaction, and the reads that they need. */
export function createScheduleWriter(tx: Db) {
  return {
    /**
     * Adds the window to the sums of the rules, and to their gaps. Locks the rules in id order, as everywhere else, to
     * avoid deadlocks.
     */
    async account(ends: readonly WindowEnd[], { from, to }: Window): Promise<void> {
      const seconds = (to.getTime() - from.getTime()) / 1000;
      const ordered = ends.toSorted((a, b) => (a.rule_id < b.rule_id ? -1 : 1));
      const { rows } = await sql<WindowEnd>`
        WITH done AS (
          SELECT rule_id, "end" FROM unnest(${ordered.map(({ rule_id }) => rule_id)}::uuid[],
            ${ordered.map(({ end }) => end)}::text[]) AS done (rule_id, "end")
        ), locked AS (
          SELECT rule_id FROM detection_coverage WHERE rule_id IN (SELECT rule_id FROM done) ORDER BY rule_id FOR UPDATE
        )
        UPDATE detection_coverage AS coverage SET
          ran_s = ran_s + CASE WHEN done.end = 'ran' THEN ${seconds}::float8 ELSE 0 END,
          capped_s = capped_s + CASE WHEN done.end = 'capped' THEN ${seconds}::float8 ELSE 0 END,
          silent_s = silent_s + CASE WHEN done.end = 'silent' THEN ${seconds}::float8 ELSE 0 END,
          skipped_s = skipped_s + CASE WHEN done.end = 'skipped' THEN ${seconds}::float8 ELSE 0 END
        FROM done JOIN locked USING (rule_id) WHERE coverage.rule_id = done.rule_id
        RETURNING done.rule_id, done.end`.execute(tx);
      await createGapsWriter(tx).insert(
        rows.flatMap(({ rule_id, end }) => (isGap(end) ? [{ rule_id, reason: end, from, to }] : [])),
      );
    },

    async insertBackfills(backfills: readonly NewBackfill[]): Promise<void> {
      if (backfills.length === 0) return;
      await sql`
        INSERT INTO detection_backfills (rule_id, window_from, window_to, reason, seconds)
        SELECT * FROM unnest(${backfills.map(({ rule_id }) => rule_id)}::uuid[],
          ${backfills.map(({ from }) => from)}::timestamptz[], ${backfills.map(({ to }) => to)}::timestamptz[],
          ${backfills.map(({ reason }) => reason)}::text[], ${backfills.map(({ seconds }) => seconds)}::float8[])`.execute(
        tx,
      );
    },
  };
}
