import { canonicalJson } from "@kit/query/canonical-json";
import { sha256Hex } from "../records/digest.ts";
import type { LedgerKey } from "../records/ledger-key.ts";
import type { Change } from "./audit.ts";

/** Signs new entries, so that only a process with the key of the ledger can add entries to the chain. */
export type Sealer = Pick<LedgerKey, "key_id" | "sign">;

/** The entries of one statement that have not joined the chain yet, with the signature of the process that wrote them. */
export interface SealedEntries {
  entry_ids: readonly string[];
  /** The hash of each entry without its time, which the database sets. */
  hashes: readonly string[];
}

/** The details are as the database returns them, for example with times as text. */
export type WrittenEntry = Omit<Change, "details"> & { id: string; details: unknown };

/** Hashes the fields of an entry that the service writes. */
export function hashWritten({ id, actor, action, subject_type, subject_id, details }: WrittenEntry): string {
  const texts = { actor, action, subject_type, subject_id };
  // The driver replaces lone surrogates in the same way when it encodes the text for the database.
  const stored = Object.entries(texts).map(([name, text]): [string, string] => [name, Buffer.from(text).toString()]);
  return sha256Hex(canonicalJson({ audit_written: { ...Object.fromEntries<unknown>(stored), id, details } }));
}

/** Hashes every field of a stored entry. The chain consists of these hashes. */
export function hashStored({ id, at, ...change }: Change & { id: string; at: Date | string }): string {
  const { actor, action, subject_type, subject_id, details } = change;
  const time = typeof at === "string" ? at : at.toISOString();
  return sha256Hex(canonicalJson({ audit_entry: { id, at: time, actor, action, subject_type, subject_id, details } }));
}

/** The text that the seal signs. */
export function formatSealed({ entry_ids, hashes }: SealedEntries): string {
  return canonicalJson({ audit_seal: { entry_ids, hashes } });
}
