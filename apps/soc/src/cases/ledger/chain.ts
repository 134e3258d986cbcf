import { sha256Hex } from "../../foundation/records/digest.ts";
import type { EntryBody } from "./ledger.schema.ts";
import { FIRST_PREVIOUS_HASH, formatHashedEntry, type TimedEntry } from "./ledger.ts";

export type Head = Pick<EntryBody, "sequence" | "entry_hash">;

/** Returns the entry after the head of a chain, or the first entry of a new chain. */
export function nextEntry(head: Head | undefined, { case_id, kind, actor, at, body }: TimedEntry): EntryBody {
  const sequence = (head?.sequence ?? 0) + 1;
  const previous_hash = head?.entry_hash ?? FIRST_PREVIOUS_HASH;
  const content = { case_id, sequence, previous_hash, kind, actor, at, body };
  return { ...content, entry_hash: sha256Hex(formatHashedEntry(content)) };
}
