import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { EntryBody } from "./ledger.schema.ts";
import { type NullableEntry, toEntry } from "./ledger.ts";
import { CHECK_SIZE, type ChainLink, type Fault, type Leaf, listAncestors, type TreePiece } from "./ledger-check.ts";
import type { NodePlace, Range } from "./merkle.ts";

/** The progress of the check of all entries. `nextLeaf` is undefined while it checks chains. */
export interface Progress {
  nextLeaf: number | undefined;
  /** The last entry that was checked in chain order. */
  lastLink: Pick<EntryBody, "case_id" | "sequence"> | undefined;
  beganAt: Date | undefined;
}

export type CheckStore = ReturnType<typeof createCheckStore>;

interface ProgressRow {
  next_leaf: number | null;
  next_case: string | null;
  next_sequence: number | null;
  pass_began_at: Date | null;
}

type PlacedRow = Pick<Leaf, "leaf_index" | "case_id" | "sequence"> & NullableEntry;

type LinkRow = Omit<ChainLink, "isListed"> & { is_listed: boolean };

const formatPlace = ({ level, position }: NodePlace) => `${level}/${position}`;

export function createCheckStore(db: Db) {
  async function readHashes({ start, end }: Range): Promise<Map<string, string>> {
    const { rows } = await sql<NodePlace & { hash: string }>`
      SELECT node.* FROM generate_series(0, ${Math.log2(CHECK_SIZE)}) AS wanted (level)
      JOIN ledger_nodes AS node ON node.level = wanted.level
        AND node.position >= (${start}::int >> wanted.level) AND node.position < (${end}::int >> wanted.level)
      UNION
      SELECT node.* FROM unnest(${ancestorPlaces(start).map(({ level }) => level)}::int[],
        ${ancestorPlaces(start).map(({ position }) => position)}::int[]) AS wanted (level, position)
      JOIN ledger_nodes AS node USING (level, position)`.execute(db);
    return new Map(rows.map((node) => [formatPlace(node), node.hash]));
  }

  return {
    async readProgress(): Promise<Progress> {
      const { rows } = await sql<ProgressRow>`
        SELECT next_leaf, next_case, next_sequence, pass_began_at FROM ledger_status`.execute(db);
      const { next_leaf, next_case: case_id = null, next_sequence: sequence = null, pass_began_at } = rows[0] ?? {};
      return {
        nextLeaf: next_leaf ?? undefined,
        lastLink: case_id === null || sequence === null ? undefined : { case_id, sequence },
        beganAt: pass_began_at ?? undefined,
      };
    },

    async writeProgress({ nextLeaf, lastLink, beganAt }: Progress): Promise<void> {
      await sql`
        UPDATE ledger_status SET next_leaf = ${nextLeaf ?? null}, next_case = ${lastLink?.case_id ?? null},
          next_sequence = ${lastLink?.sequence ?? null}, pass_began_at = ${beganAt ?? null}`.execute(db);
    },

    /**
     * Records that a pass over all entries has ended, and deletes faults that the pass did not find again. The audit log
     * has its own pass.
     */
    async finishPass(beganAt: Date): Promise<void> {
      await sql`DELETE FROM ledger_faults WHERE NOT is_accepted AND last_found_at < ${beganAt}
        AND subject NOT LIKE 'audit entry %'`.execute(db);
      await sql`
        UPDATE ledger_status SET next_leaf = 0, next_case = NULL, next_sequence = NULL, pass_began_at = NULL,
          fully_checked_at = ${beganAt}`.execute(db);
    },

    async readTree(range: Range): Promise<TreePiece> {
      const { rows } = await sql<PlacedRow>`
        SELECT leaf.leaf_index, leaf.case_id, leaf.sequence,
          entry.previous_hash, entry.entry_hash, entry.kind, entry.actor, entry.at, entry.body
        FROM ledger_leaves AS leaf LEFT JOIN ledger_entries AS entry USING (case_id, sequence)
        WHERE leaf.leaf_index >= ${range.start} AND leaf.leaf_index < ${range.end}`.execute(db);
      const hashes = await readHashes(range);
      return { range, leaves: rows.map(toLeaf), hashAt: (place) => hashes.get(formatPlace(place)) };
    },

    /** Returns the entries after the last one in chain order, and the last one itself. */
    async readChains(
      last: Progress["lastLink"],
      limit: number,
    ): Promise<{ before: ChainLink | undefined; links: ChainLink[] }> {
      const { rows } = await sql<LinkRow>`
        SELECT case_id, sequence, previous_hash, entry_hash,
          EXISTS (SELECT FROM ledger_leaves AS leaf
            WHERE leaf.case_id = entry.case_id AND leaf.sequence = entry.sequence)
          OR EXISTS (SELECT FROM ledger_waiting AS waiting
            WHERE waiting.case_id = entry.case_id AND waiting.sequence = entry.sequence) AS is_listed
        FROM ledger_entries AS entry
        ${last ? sql`WHERE (case_id, sequence) >= (${last.case_id}::uuid, ${last.sequence}::int)` : sql``}
        ORDER BY case_id, sequence LIMIT ${limit}`.execute(db);
      const links = rows.map(({ is_listed, ...link }) => ({ ...link, isListed: is_listed }));
      const hasLast = links[0]?.case_id === last?.case_id && links[0]?.sequence === last?.sequence;
      return hasLast ? { before: links[0], links: links.slice(1) } : { before: undefined, links };
    },

    async recordFaults(faults: readonly Fault[], at: Date): Promise<void> {
      if (faults.length === 0) return;
      await sql`
        INSERT INTO ledger_faults AS known (subject, what, found_at, last_found_at)
        SELECT subject, min(what), ${at}, ${at}
        FROM unnest(${faults.map(({ subject }) => subject)}::text[], ${faults.map(({ what }) => what)}::text[])
          AS found (subject, what) GROUP BY subject
        ON CONFLICT (subject) DO UPDATE SET last_found_at = excluded.last_found_at,
          what = excluded.what, is_accepted = known.is_accepted AND known.what = excluded.what`.execute(db);
    },

    /** Records that the operator accepted the database in its current state. */
    async acceptFaults(): Promise<void> {
      await sql`UPDATE ledger_faults SET is_accepted = true WHERE NOT is_accepted`.execute(db);
    },

    /** Lists the faults that no operator has accepted, oldest first. */
    async listFaults(limit: number): Promise<Fault[]> {
      const { rows } = await sql<Fault>`
        SELECT subject, what FROM ledger_faults WHERE NOT is_accepted ORDER BY found_at, subject LIMIT ${limit}`.execute(
        db,
      );
      return rows;
    },
  };
}

/** Returns the ancestors of a piece and every node that they are computed from. */
function ancestorPlaces(start: number): NodePlace[] {
  return listAncestors(start / CHECK_SIZE).flatMap((place) => {
    const { level, position } = place;
    const children = [2 * position, 2 * position + 1].map((child) => ({ level: level - 1, position: child }));
    return [place, ...children];
  });
}

function toLeaf({ leaf_index, case_id, sequence, ...content }: PlacedRow): Leaf {
  const name = { case_id, sequence };
  return { leaf_index, ...name, entry: toEntry(name, content) };
}
