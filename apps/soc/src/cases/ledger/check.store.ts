import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { EntryBody } from "./ledger.schema.ts";
import { type NullableEntry, toEntry } from "./ledger.ts";
import { CHECK_SIZE, type ChainLink, type Fault, type Leaf, listAncestors, type TreePiece } from "./ledger-check.ts";
import type { NodePlace, Range } from "./merkle.ts";

/** How far the check of all entries has come. `nextLeaf` is undefined while it checks chains. */
export interface Progress {
  nextLeaf: number | undefined;
  /** The last entry that was checked in chain order. */
  lastLink: Pick<EntryBody, "case_id" | "sequence"> | undefined;
  beganAt: Date | undefined;
}

export interface CheckStore {
  readProgress(): Promise<Progress>;
  writeProgress(progress: Progress): Promise<void>;
  /** Records that a pass over all entries has ended, and deletes faults that it did not find again. */
  finishPass(beganAt: Date): Promise<void>;
  readTree(range: Range): Promise<TreePiece>;
  /** The entries after the last one in chain order, and that one again. */
  readChains(last: Progress["lastLink"], limit: number): Promise<{ before: ChainLink | undefined; links: ChainLink[] }>;
  recordFaults(faults: readonly Fault[], at: Date): Promise<void>;
  /** The operator has accepted the database as it is. */
  acceptFaults(): Promise<void>;
  /** The faults that no operator has accepted, the first one found first. */
  listFaults(limit: number): Promise<Fault[]>;
}

interface ProgressRow {
  next_leaf: number | null;
  next_case: string | null;
  next_sequence: number | null;
  pass_began_at: Date | null;
}

type PlacedRow = Pick<Leaf, "leaf_index" | "case_id" | "sequence"> & NullableEntry;

type LinkRow = Omit<ChainLink, "isListed"> & { is_listed: boolean };

const formatPlace = ({ level, position }: NodePlace) => `${level}/${position}`;

export function createCheckStore(db: Db): CheckStore {
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
    async readProgress() {
      const { rows } = await sql<ProgressRow>`
        SELECT next_leaf, next_case, next_sequence, pass_began_at FROM ledger_status`.execute(db);
      const { next_leaf, next_case: case_id = null, next_sequence: sequence = null, pass_began_at } = rows[0] ?? {};
      return {
        nextLeaf: next_leaf ?? undefined,
        lastLink: case_id === null || sequence === null ? undefined : { case_id, sequence },
        beganAt: pass_began_at ?? undefined,
      };
    },

    async writeProgress({ nextLeaf, lastLink, beganAt }) {
      await sql`
        UPDATE ledger_status SET next_leaf = ${nextLeaf ?? null}, next_case = ${lastLink?.case_id ?? null},
          next_sequence = ${lastLink?.sequence ?? null}, pass_began_at = ${beganAt ?? null}`.execute(db);
    },

    async finishPass(beganAt) {
      await sql`DELETE FROM ledger_faults WHERE NOT is_accepted AND last_found_at < ${beganAt}`.execute(db);
      await sql`
        UPDATE ledger_status SET next_leaf = 0, next_case = NULL, next_sequence = NULL, pass_began_at = NULL,
          fully_checked_at = ${beganAt}`.execute(db);
    },

    async readTree(range) {
      const { rows } = await sql<PlacedRow>`
        SELECT leaf.leaf_index, leaf.case_id, leaf.sequence,
          entry.previous_hash, entry.entry_hash, entry.kind, entry.actor, entry.at, entry.body
        FROM ledger_leaves AS leaf LEFT JOIN ledger_entries AS entry USING (case_id, sequence)
        WHERE leaf.leaf_index >= ${range.start} AND leaf.leaf_index < ${range.end}`.execute(db);
      const hashes = await readHashes(range);
      return { range, leaves: rows.map(toLeaf), hashAt: (place) => hashes.get(formatPlace(place)) };
    },

    async readChains(last, limit) {
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

    async recordFaults(faults, at) {
      if (faults.length === 0) return;
      await sql`
        INSERT INTO ledger_faults AS known (subject, what, found_at, last_found_at)
        SELECT subject, min(what), ${at}, ${at}
        FROM unnest(${faults.map(({ subject }) => subject)}::text[], ${faults.map(({ what }) => what)}::text[])
          AS found (subject, what) GROUP BY subject
        ON CONFLICT (subject) DO UPDATE SET last_found_at = excluded.last_found_at,
          what = excluded.what, is_accepted = known.is_accepted AND known.what = excluded.what`.execute(db);
    },

    async acceptFaults() {
      await sql`UPDATE ledger_faults SET is_accepted = true WHERE NOT is_accepted`.execute(db);
    },

    async listFaults(limit) {
      const { rows } = await sql<Fault>`
        SELECT subject, what FROM ledger_faults WHERE NOT is_accepted ORDER BY found_at, subject LIMIT ${limit}`.execute(
        db,
      );
      return rows;
    },
  };
}

/** Every node that the ancestors of a piece are made of, and the ancestors. */
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
