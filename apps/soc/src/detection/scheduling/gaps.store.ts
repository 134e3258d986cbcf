import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { Gap } from "./accounting.ts";

/** Writes gaps in the transaction that accounts for time: each gap is stored with the seconds that it adds. */
export interface GapsWriter {
  /**
   * Stores at most one gap per rule; one that continues the last is merged with it. The caller holds the rules'
   * coverage.
   */
  insert(gaps: readonly Gap[]): Promise<void>;
  /** Deletes gaps that ended before this instant, and returns their number. */
  sweep(before: Date): Promise<number>;
}

export function createGapsWriter(tx: Db): GapsWriter {
  return {
    async insert(gaps) {
      if (gaps.length === 0) return;
      await sql`
        WITH given AS (
          SELECT * FROM unnest(${gaps.map(({ rule_id }) => rule_id)}::uuid[],
            ${gaps.map(({ reason }) => reason)}::text[], ${gaps.map(({ from }) => from)}::timestamptz[],
            ${gaps.map(({ to }) => to)}::timestamptz[]) AS given (rule_id, reason, window_from, window_to)
        ), continued AS (
          UPDATE detection_gaps AS known SET window_to = given.window_to FROM given
          WHERE known.rule_id = given.rule_id AND known.reason = given.reason AND known.window_to = given.window_from
          RETURNING known.rule_id
        )
        INSERT INTO detection_gaps AS known (rule_id, reason, window_from, window_to)
        SELECT rule_id, reason, window_from, window_to FROM given
        WHERE rule_id NOT IN (SELECT rule_id FROM continued)
        ON CONFLICT (rule_id, reason, window_from)
          DO UPDATE SET window_to = greatest(known.window_to, excluded.window_to)`.execute(tx);
    },

    async sweep(before) {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM detection_gaps WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM detection_gaps WHERE window_to < ${before} ORDER BY window_to LIMIT 5000))`.execute(tx);
      return Number(numAffectedRows);
    },
  };
}
