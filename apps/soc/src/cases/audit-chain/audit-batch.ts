import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { AuditEntryBody } from "../../foundation/audit/audit.schema.ts";
import { hashStored } from "../../foundation/audit/seal.ts";
import type { EntryBody } from "../ledger/ledger.schema.ts";

export const BATCH_KIND = "audit.recorded";
/** A batch is one entry of the ledger, which its check reads by the hundred. */
export const BATCH_SIZE = 250;

/**
 * `service`: a process of this platform wrote and sealed the entries. `before_chain`: they are older than the chain, or
 * an earlier release wrote them during the upgrade. `unsealed`: another program wrote or changed them. `removed`: they
 * were deleted before they joined the chain.
 */
export const ORIGINS = ["service", "before_chain", "unsealed", "removed"] as const;

/** The body of a ledger entry: the ids and hashes of audit entries, in order. */
export const BatchBody = Type.Object(
  {
    origin: Type.Enum([...ORIGINS]),
    entries: Type.Array(Type.Tuple([Type.String(), Type.String()]), { maxItems: BATCH_SIZE }),
  },
  { title: "AuditBatch" },
);
export type BatchBody = Static<typeof BatchBody>;
export type Origin = BatchBody["origin"];

/** Undefined if the ledger entry is not a batch, which its own check reports. */
export function readBatch({ kind, body }: Pick<EntryBody, "kind" | "body">): BatchBody | undefined {
  return kind === BATCH_KIND && Value.Check(BatchBody, body) ? body : undefined;
}

/** What the database has of an entry that a batch names. */
export interface FoundEntry {
  entry: AuditEntryBody | undefined;
  /** The batch that the index of positions names. */
  batch: number | undefined;
}

export interface AuditFault {
  /** Begins with `audit entry`. The same fault has the same subject when it is found again. */
  subject: string;
  what: string;
}

function createAuditFault(id: string, what: string): AuditFault {
  const subject = `audit entry ${id}`;
  return { subject, what: `${subject} ${what}` };
}

/** Compares the entries of a batch with those in the database. */
export function findBatchFaults(
  batch: number,
  { origin, entries }: BatchBody,
  find: (id: string) => FoundEntry | undefined,
  isDeleted: boolean,
): AuditFault[] {
  return entries.flatMap(([id, hash]) => {
    const found = find(id);
    const what = describeFault({ origin, hash, entry: found?.entry, isDeleted });
    if (what !== undefined) return createAuditFault(id, what);
    return found?.batch === batch ? [] : createAuditFault(id, "is not in the index of the chain");
  });
}

interface Comparison {
  origin: Origin;
  hash: string;
  entry: AuditEntryBody | undefined;
  isDeleted: boolean;
}

function describeFault({ origin, hash, entry, isDeleted }: Comparison): string | undefined {
  if (origin === "removed") return "was removed before it joined the chain";
  if (origin === "unsealed") return entry && "was inserted or changed before it joined the chain";
  if (!entry) return isDeleted ? undefined : "was removed";
  return hashStored(entry) === hash ? undefined : "was changed";
}
