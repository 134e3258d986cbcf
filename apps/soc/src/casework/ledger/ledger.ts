import type { Generated } from "kysely";
import { canonicalJson } from "../../foundation/records/canonical-json.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { ChainBody, CheckpointBody, EntryBody } from "./ledger.schema.ts";

export interface NewEntry {
  /** `<noun>.<past participle>`, such as evidence.created. */
  kind: string;
  actor: string;
  body: object;
}

/** Where an entry stands in its case's chain; evidence carries it as `ledger`. */
export type Link = Pick<EntryBody, "sequence" | "previous_hash" | "entry_hash">;

export type EntryRow = Omit<EntryBody, "at"> & { at: Date };
export type WaitingRow = Pick<EntryBody, "case_id" | "sequence"> & { id: Generated<string> };
export type LeafRow = Pick<EntryBody, "case_id" | "sequence"> & { leaf_index: number };
export type CheckpointRow = Omit<CheckpointBody, "at"> & { at: Date };

/** An entry and its place in the tree; undefined while it waits for one. */
export interface PlacedEntry {
  entry: EntryBody;
  leaf_index: number | undefined;
}

/** A new entry that knows its chain and its time, and not yet its place. */
export type TimedEntry = NewEntry & Pick<EntryBody, "case_id" | "at">;

export const FIRST_PREVIOUS_HASH = "0".repeat(64);

/** What entry_hash is the SHA-256 of. */
export function formatHashedEntry(entry: Omit<EntryBody, "entry_hash">): string {
  const { case_id, sequence, previous_hash, kind, actor, at, body } = entry;
  return canonicalJson({ case_id, sequence, previous_hash, kind, actor, at, body });
}

// The name around each statement keeps a signature under one from being read as a signature under the other.

export function formatCheckpoint({ tree_size, root_hash, at, key_id }: Omit<CheckpointBody, "signature">): string {
  return canonicalJson({ checkpoint: { tree_size, root_hash, at, key_id } });
}

export function formatChain(chain: Omit<ChainBody, "signature">): string {
  const { case_id, length, head_hash, covered, tree_size, at, key_id } = chain;
  return canonicalJson({ chain: { case_id, length, head_hash, covered, tree_size, at, key_id } });
}

export function signCheckpoint(key: LedgerKey, made: Omit<CheckpointBody, "key_id" | "signature">): CheckpointBody {
  const statement = { ...made, key_id: key.key_id };
  return { ...statement, signature: key.sign(formatCheckpoint(statement)) };
}

export function signChain(key: LedgerKey, made: Omit<ChainBody, "key_id" | "signature">): ChainBody {
  const statement = { ...made, key_id: key.key_id };
  return { ...statement, signature: key.sign(formatChain(statement)) };
}
