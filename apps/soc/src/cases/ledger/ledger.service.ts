import type { Clock } from "@kit/clock";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { createChainStore } from "./chain.store.ts";
import { nextEntry } from "./chain.ts";
import type {
  BundleBody,
  CheckpointBody,
  ConsistencyBody,
  LedgerStatusBody,
  ProofBody,
  ProvenEntryBody,
} from "./ledger.schema.ts";
import type { LedgerStore } from "./ledger.store.ts";
import { CHAIN_OF_AUDIT, type Link, type NewEntry, signChain } from "./ledger.ts";
import { computeRangeHash, consistencyRanges, inclusionRanges, listSubtrees, type Range } from "./merkle.ts";

export interface LedgerServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: LedgerStore; showcase: LedgerStore };
  key: LedgerKey;
  clock: Pick<Clock, "now">;
}

export interface ProvenEntries extends Pick<BundleBody, "public_key" | "checkpoint"> {
  entries: ProvenEntryBody[];
}

/** The next key signs its first checkpoint as soon as a process has loaded it. */
const REPLACED_RETRY_S = 5;
export type LedgerService = ReturnType<typeof createLedgerService>;

export function createLedgerService({ runtime, stores, key, clock }: LedgerServiceDeps) {
  async function getCheckpoint(store: LedgerStore, tree_size: number): Promise<CheckpointBody> {
    const checkpoint = await store.findCheckpoint(tree_size);
    if (!checkpoint) throw notFound("checkpoint", tree_size);
    return checkpoint;
  }

  /** A bundle has one key. During a key replacement, this process or the newest checkpoint has the former key. */
  function requireSigner(checkpoint: CheckpointBody | undefined): void {
    if (checkpoint === undefined || checkpoint.key_id === key.key_id) return;
    throw new Problem(
      "unavailable",
      "ledger: its key is being replaced; signing continues when all processes have the new key",
      {
        retryAfterSeconds: REPLACED_RETRY_S,
      },
    );
  }

  return {
    /**
     * Appends the next entry to the chain of a case. Other appends to the same chain wait until the transaction ends.
     */
    async append(tx: Tx, caseId: string, { kind, actor, body }: NewEntry): Promise<Link> {
      const chain = createChainStore(tx);
      // Lower case, as the database returns it, because the hash covers this text.
      const case_id = caseId.toLowerCase();
      await chain.lock(case_id);
      const head = await chain.findHead(case_id);
      const entry = nextEntry(head, { case_id, kind, actor, at: clock.now().toISOString(), body });
      await chain.insert(entry);
      return { sequence: entry.sequence, previous_hash: entry.previous_hash, entry_hash: entry.entry_hash };
    },

    /** Returns the result of the last check by any process. */
    async status(): Promise<LedgerStatusBody> {
      return (await runtime.choose(stores)).status();
    },

    async listCheckpoints(query: PageQuery): Promise<Page<CheckpointBody>> {
      return (await runtime.choose(stores)).listCheckpoints(query);
    },

    async prove(case_id: string, sequence: number): Promise<ProofBody> {
      const store = await runtime.choose(stores);
      const checkpoint = await store.findCheckpoint();
      const placed = await store.findEntry(case_id, sequence);
      if (!placed) throw notFound("ledger entry", `${case_id}/${sequence}`);
      const { entry, leaf_index } = placed;
      requireSigner(checkpoint);
      if (!checkpoint || !isCovered(leaf_index, checkpoint.tree_size)) {
        throw new Problem("conflict", `ledger entry '${case_id}/${sequence}' waits for the next checkpoint`);
      }
      const [audit_path = []] = await hashPaths(store, [listPathRanges(leaf_index, checkpoint.tree_size)]);
      return { entry, leaf_index, audit_path, checkpoint, public_key: key.public_key };
    },

    /** Returns the proofs of entries of one chain; those without a checkpoint have none. */
    async proveAll(case_id: string, sequences: readonly number[]): Promise<ProvenEntries> {
      const store = await runtime.choose(stores);
      const checkpoint = await store.findCheckpoint();
      requireSigner(checkpoint);
      const placed = await store.findEntries(case_id, sequences);
      const tree_size = checkpoint?.tree_size ?? 0;
      const paths = await hashPaths(
        store,
        placed.map(({ leaf_index }) => (isCovered(leaf_index, tree_size) ? listPathRanges(leaf_index, tree_size) : [])),
      );
      const entries = placed.map(({ entry, leaf_index }, index) => {
        const isProven = isCovered(leaf_index, tree_size);
        return { entry, leaf_index: isProven ? leaf_index : null, audit_path: isProven ? (paths[index] ?? []) : null };
      });
      return { checkpoint: checkpoint ?? null, public_key: key.public_key, entries };
    },

    async bundle(case_id: string): Promise<BundleBody> {
      if (case_id.toLowerCase() === CHAIN_OF_AUDIT) throw invalidField("case_id", "names the chain of the audit log");
      const store = await runtime.choose(stores);
      // A signed bundle stays valid forever, so sign nothing during an alarm.
      const { alarm } = await store.status();
      if (alarm !== null) throw new Problem("conflict", `ledger: signing has stopped because ${alarm}`);
      // Read the checkpoint first, so that the entries read later include all entries of its tree.
      const checkpoint = await store.findCheckpoint();
      requireSigner(checkpoint);
      const placed = await store.listEntries(case_id);
      const head = placed.at(-1)?.entry;
      if (!head) throw notFound("ledger of case", case_id);
      const tree_size = checkpoint?.tree_size ?? 0;
      const indexes = placed.map(({ leaf_index }) => leaf_index).filter((index) => isCovered(index, tree_size));
      const paths = await hashPaths(
        store,
        indexes.map((index) => listPathRanges(index, tree_size)),
      );
      const chain = signChain(key, {
        case_id: head.case_id,
        length: placed.length,
        head_hash: head.entry_hash,
        covered: indexes.length,
        tree_size,
        at: clock.now().toISOString(),
      });
      return {
        format: "manara-soc-ledger-1",
        public_key: key.public_key,
        checkpoint: checkpoint ?? null,
        chain,
        // A chain enters the tree in chain order, so the covered entries are the first ones.
        entries: placed.map(({ entry }, index) => ({
          entry,
          leaf_index: indexes[index] ?? null,
          audit_path: paths[index] ?? null,
        })),
      };
    },

    async proveConsistency(from: number, to: number): Promise<ConsistencyBody> {
      if (from > to) throw invalidField("from", "must not be greater than to");
      const store = await runtime.choose(stores);
      const [earlier, later] = [await getCheckpoint(store, from), await getCheckpoint(store, to)];
      const [proof = []] = await hashPaths(store, [consistencyRanges(from, to)]);
      return { from: earlier, to: later, proof, public_key: key.public_key };
    },
  };
}

function isCovered(leafIndex: number | undefined, treeSize: number): leafIndex is number {
  return leafIndex !== undefined && leafIndex < treeSize;
}

function listPathRanges(leafIndex: number, treeSize: number): Range[] {
  return inclusionRanges(leafIndex, { start: 0, end: treeSize });
}

/** Computes the hashes of all paths with one query. */
async function hashPaths(store: LedgerStore, paths: readonly Range[][]): Promise<string[][]> {
  const ranges = paths.flat();
  const places = new Map(ranges.flatMap(listSubtrees).map((place) => [`${place.level}/${place.position}`, place]));
  const hashAt = await store.hashesAt([...places.values()]);
  return paths.map((path) => path.map((range) => computeRangeHash(range, hashAt)));
}
