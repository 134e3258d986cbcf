import { type Generated, sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { Window } from "../matches/finding.ts";
import { createMatchesWriter } from "../matches/matches.store.ts";
import { isListed, NEWEST_FIRST, type Run } from "./run.ts";
import type { ListRunsQuery } from "./runs.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    detection_runs: Run;
    detection_counts: {
      rule_id: string;
      hour: Date;
      runs: number;
      matches: number;
      suppressed: number;
      excepted: Generated<number>;
      alerts: Generated<number>;
    };
  }
}

/** Reads outside of change transactions. */
export interface RunsStore {
  list(rule_id: string, query: ListRunsQuery): Promise<Page<Run>>;
}

export function createRunsStore(db: Db): RunsStore {
  return {
    list: (rule_id, query) => {
      let listed = db
        .selectFrom("detection_runs")
        .selectAll()
        .select(sql<number>`coalesce(excepted_count, 0)`.as("excepted_count"))
        .where("rule_id", "=", rule_id);
      if (query.trigger_mode !== undefined) listed = listed.where("trigger_mode", "=", query.trigger_mode);
      if (query.is_backfill !== undefined) {
        listed = listed.where(sql<boolean>`is_backfill IS TRUE`, "=", query.is_backfill);
      }
      if (query.status !== undefined) listed = listed.where("status", "=", query.status);
      return readPage(db, listed, NEWEST_FIRST, query);
    },
  };
}

/** Writes, and the reads that they need. */
export interface RunsWriter {
  /** One statement for all runs, no matter how many are due together. */
  insert(runs: readonly Run[]): Promise<void>;
  /**
   * The stored run of this window that did not fail. The caller must hold the lock of the rule: a killed worker may
   * have sent its commit after another worker started the same window.
   */
  findScheduled(rule: { id: string; version: number }, window: Window): Promise<Pick<Run, "status"> | undefined>;
  /**
   * Deletes runs that started before this instant, at most 10,000 per call to keep locks short. Returns their number.
   */
  sweep(before: Date): Promise<number>;
}

export function createRunsWriter(db: Db): RunsWriter {
  return {
    async insert(runs) {
      if (runs.length === 0) return;
      await sql`
        INSERT INTO detection_runs
        SELECT * FROM jsonb_populate_recordset(NULL::detection_runs, ${JSON.stringify(runs)}::jsonb)`.execute(db);
      await createMatchesWriter(db).addCounts(
        runs.map(({ rule_id, started_at, is_backfill }) => ({
          rule_id,
          at: started_at,
          runs: is_backfill ? 0 : 1,
          matches: 0,
          suppressed: 0,
        })),
      );
    },

    async findScheduled(rule, { from, to }) {
      return db
        .selectFrom("detection_runs")
        .select("status")
        .where("rule_id", "=", rule.id)
        .where("rule_version", "=", rule.version)
        .where("started_at", ">=", to)
        .where("window_from", "=", from)
        .where("window_to", "=", to)
        .where("trigger_mode", "=", "scheduled")
        .where("status", "<>", "failed")
        .executeTakeFirst();
    },

    async sweep(before) {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM detection_runs WHERE id IN
          (SELECT id FROM detection_runs WHERE started_at < ${before} ORDER BY started_at LIMIT 10000)`.execute(db);
      return Number(numAffectedRows);
    },
  };
}

export function createShowcaseRunsStore(runs: readonly Run[]): RunsStore {
  return {
    list: async (rule_id, query) =>
      pageInMemory(runs, NEWEST_FIRST, query, (run) => run.rule_id === rule_id && isListed(run, query)),
  };
}
