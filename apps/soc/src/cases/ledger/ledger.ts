import { canonicalJson } from "@kit/query/canonical-json";
import type { Generated } from "kysely";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { Acceptance, ChainBody, CheckpointBody, EntryBody } from "./ledger.schema.ts";
import type { Succession } from "./succession.ts";

export interface NewEntry {
  /** `<noun>.<past participle>`, such as evidence.created. */
  kind: string;
  actor: string;
  body: object;
}

/** The position of an entry in the chain of its case; evidence has it as `ledger`. */
export type Link = Pick<EntryBody, "sequence" | "previous_hash" | "entry_hash">;

export type EntryRow = Omit<EntryBody, "at"> & { at: Date };
/** The columns of an entry in an outer join: all null when it does not exist. */
export type NullableEntry = { entry_hash: null } | Omit<EntryRow, "case_id" | "sequence">;

export function toEntry(name: Pick<EntryBody, "case_id" | "sequence">, row: NullableEntry): EntryBody | undefined {
  return row.entry_hash === null ? undefined : { ...name, ...row, at: row.at.toISOString() };
}

export type WaitingRow = Pick<EntryBody, "case_id" | "sequence"> & { id: Generated<string> };
export type LeafRow = Pick<EntryBody, "case_id" | "sequence"> & { leaf_index: number };
export type CheckpointRow = Omit<CheckpointBody, "at"> & { at: Date };

/** An entry and its leaf index in the tree; the index is undefined until the entry is in the tree. */
export interface PlacedEntry {
  entry: EntryBody;
  leaf_index: number | undefined;
}

/** A new entry with its chain and its time, but without a position. */
export type TimedEntry = NewEntry & Pick<EntryBody, "case_id" | "at">;

/** A line of the checkpoint file. */
export type CheckpointLine = CheckpointBody | Acceptance | { succession: Succession };

export function isAcceptance(line: CheckpointLine): line is Acceptance {
  return "accepted_by" in line;
}

export function isSuccession(line: CheckpointLine): line is { succession: Succession } {
  return "succession" in line;
}

/** The chain whose entries are batches of the audit log. It is too long for a bundle. */
export const CHAIN_OF_AUDIT = "00000000-0000-0000-0000-000000000001";

export const FIRST_PREVIOUS_HASH = "0".repeat(64);

/** Returns the text whose SHA-256 is entry_hash. */
export function formatHashedEntry(entry: Omit<EntryBody, "entry_hash">): string {
  const { case_id, sequence, previous_hash, kind, actor, at, body } = entry;
  return canonicalJson({ case_id, sequence, previous_hash, kind, actor, at, body });
}

// Domain separation: the outer name ("checkpoint", "chain") keeps a signature from being valid for the other statement.

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
