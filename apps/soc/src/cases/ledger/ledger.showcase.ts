import { toPage } from "../../foundation/lists/page.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { EntryBody } from "./ledger.schema.ts";
import type { LedgerStore } from "./ledger.store.ts";
import { signCheckpoint } from "./ledger.ts";
import { computeRangeHash, grow, leafHashOf, type NodePlace } from "./merkle.ts";

/**
 * Stores a ledger in memory: complete chains, with entries in tree order, under one checkpoint with the time of the
 * last entry.
 */
export function createShowcaseLedgerStore(entries: readonly EntryBody[], key: LedgerKey): LedgerStore {
  const placed = entries.map((entry, leaf_index) => ({ entry, leaf_index }));
  const leafHashes = entries.map(({ entry_hash }) => leafHashOf(Buffer.from(entry_hash, "hex")));
  const nodes = new Map(grow(0, [], leafHashes).map((node) => [`${node.level}/${node.position}`, node.hash]));
  const hashAt = ({ level, position }: NodePlace) => nodes.get(`${level}/${position}`) ?? "";
  const last = entries.at(-1);
  const tree_size = entries.length;
  const checkpoint =
    last &&
    signCheckpoint(key, { tree_size, root_hash: computeRangeHash({ start: 0, end: tree_size }, hashAt), at: last.at });
  const at = checkpoint?.at ?? null;
  return {
    status: async () => ({
      alarm: null,
      checked_at: at,
      tree_size,
      waiting: 0,
      last_checkpoint_at: at,
      fully_checked_at: at,
      faults: [],
    }),
    async listCheckpoints(query) {
      const isPastEnd = query.cursor !== undefined || (query.skip ?? 0) > 0;
      const rows = checkpoint && !isPastEnd ? [checkpoint] : [];
      const total = { total: checkpoint ? 1 : 0 };
      return toPage({ query, order: "", rows, total, positionOf: () => [] });
    },
    findCheckpoint: async (treeSize = tree_size) => (treeSize === tree_size ? checkpoint : undefined),
    listEntries: async (case_id) => placed.filter(({ entry }) => entry.case_id === case_id),
    findEntry: async (case_id, sequence) =>
      placed.find(({ entry }) => entry.case_id === case_id && entry.sequence === sequence),
    findEntries: async (case_id, sequences) =>
      placed.filter(({ entry }) => entry.case_id === case_id && sequences.includes(entry.sequence)),
    hashesAt: async () => hashAt,
  };
}
