import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { MovedItems } from "./case-merges.schema.ts";

/** A case whose items move to another case. */
export interface Move {
  from: string;
  into: string;
  by: string;
  at: Date;
}

export type CaseMergesWriter = ReturnType<typeof createCaseMergesWriter>;

export function createCaseMergesWriter(tx: Db) {
  const count = async (change: RawBuilder<unknown>) => Number((await change.execute(tx)).numAffectedRows ?? 0n);

  /** Adds the tags to an equal observable of the target; the history keeps the observable of the source. */
  async function unifyObservables({ from, into, by, at }: Move): Promise<number> {
    const equal = sql`SELECT mine.id, theirs.id AS kept_id FROM case_observables AS mine JOIN case_observables AS theirs
      ON theirs.case_id = ${into} AND theirs.type = mine.type AND md5(theirs.value) = md5(mine.value)
      WHERE mine.case_id = ${from}`;
    await sql`UPDATE case_observables AS kept SET edited_at = greatest(${at}, kept.created_at, kept.edited_at),
        tags = (SELECT coalesce(array_agg(tag ORDER BY first), '{}') FROM (
          SELECT tag, min(place) AS first FROM unnest(kept.tags || mine.tags) WITH ORDINALITY AS all_tags (tag, place) GROUP BY tag
        ) AS each)
      FROM (${equal}) AS equal JOIN case_observables AS mine ON mine.id = equal.id
      WHERE kept.id = equal.kept_id AND NOT kept.tags @> mine.tags`.execute(tx);
    await sql`INSERT INTO case_item_versions (case_id, item_type, item_id, change, item, changed_by, changed_at)
      SELECT ${into}, 'observable', mine.id, 'removed', jsonb_build_object('id', mine.id, 'type', type, 'value', value,
        'source', source, 'tags', tags, 'context', context, 'created_at', created_at, 'edited_at', edited_at), ${by}, ${at}
      FROM case_observables AS mine JOIN (${equal}) AS equal ON equal.id = mine.id`.execute(tx);
    return count(sql`DELETE FROM case_observables WHERE id IN (SELECT id FROM (${equal}) AS equal)`);
  }

  return {
    /** Moves all items, with their earlier versions. */
    async moveItems(move: Move): Promise<Omit<MovedItems, "alerts">> {
      const { from, into } = move;
      await sql`UPDATE case_item_versions SET case_id = ${into} WHERE case_id = ${from}`.execute(tx);
      const unified = await unifyObservables(move);
      return {
        unified,
        observables: await count(sql`UPDATE case_observables SET case_id = ${into} WHERE case_id = ${from}`),
        evidence:
          await count(sql`UPDATE case_evidence SET case_id = ${into}, registered_in = coalesce(registered_in, case_id)
          WHERE case_id = ${from}`),
        comments: await count(sql`UPDATE case_comments SET case_id = ${into} WHERE case_id = ${from}`),
        tasks: await count(sql`UPDATE case_tasks SET case_id = ${into} WHERE case_id = ${from}`),
      };
    },

    /** Returns the evidence of a case for the ledger. */
    async listEvidence(case_id: string): Promise<{ evidence_id: string; sha256: string | null }[]> {
      const { rows } = await sql<{ evidence_id: string; sha256: string | null }>`
        SELECT id AS evidence_id, sha256 FROM case_evidence WHERE case_id = ${case_id} ORDER BY id`.execute(tx);
      return rows;
    },

    /** Gives each of the cases, and all cases merged into them, the sites of all, because they name each other. */
    async joinSites(case_ids: readonly string[]): Promise<void> {
      const ids = sql`ANY(${[...case_ids]}::uuid[])`;
      await sql`
        UPDATE cases SET sites = ARRAY(SELECT DISTINCT site FROM cases AS joined, unnest(joined.sites) AS site
          WHERE joined.id = ${ids} ORDER BY site)
        WHERE id = ${ids} OR merged_into = ${ids}`.execute(tx);
    },

    /** Redirects cases that were merged into `from` to `into`. */
    async redirect(from: string, into: string): Promise<void> {
      await sql`UPDATE cases SET merged_into = ${into} WHERE merged_into = ${from}`.execute(tx);
    },
  };
}
