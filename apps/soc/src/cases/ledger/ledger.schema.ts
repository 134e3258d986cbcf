import Type, { type Static } from "typebox";
import { InstantOrNull } from "../../foundation/schema/fields.schema.ts";

const Hash = Type.String();

export const EntryBody = Type.Object(
  {
    case_id: Type.String(),
    sequence: Type.Integer(),
    previous_hash: Hash,
    entry_hash: Hash,
    kind: Type.String(),
    actor: Type.String(),
    at: Type.String(),
    body: Type.Unknown(),
  },
  { title: "LedgerEntry" },
);
export type EntryBody = Static<typeof EntryBody>;

/** A signed statement of the size and root hash of the tree at one time. */
export const CheckpointBody = Type.Object(
  {
    tree_size: Type.Integer(),
    root_hash: Hash,
    at: Type.String(),
    key_id: Hash,
    signature: Type.String(),
  },
  { title: "LedgerCheckpoint" },
);
export type CheckpointBody = Static<typeof CheckpointBody>;

/**
 * Records that an operator accepts the database in its current state: earlier checkpoints are no longer compared with
 * it.
 */
export const Acceptance = Type.Object({
  accepted_by: Type.String({ minLength: 1 }),
  reason: Type.String({ minLength: 1 }),
});
export type Acceptance = Static<typeof Acceptance>;

/**
 * `alarm` is the reason why signing has stopped, found by the last check at `checked_at`. The last complete check of
 * all entries began at `fully_checked_at`.
 */
export const LedgerStatusBody = Type.Object(
  {
    alarm: Type.Union([Type.String(), Type.Null()]),
    checked_at: InstantOrNull,
    tree_size: Type.Integer({ description: "entries covered by the latest checkpoint" }),
    waiting: Type.Integer({ description: "entries not yet covered by a checkpoint" }),
    last_checkpoint_at: InstantOrNull,
    fully_checked_at: InstantOrNull,
    faults: Type.Array(Type.String(), {
      description: "faults that no operator has accepted, at most 100",
    }),
  },
  { title: "LedgerStatus" },
);
export type LedgerStatusBody = Static<typeof LedgerStatusBody>;

/**
 * A signed statement of the length and head of a chain at export, so that a truncated bundle cannot pass as complete.
 */
export const ChainBody = Type.Object(
  {
    case_id: Type.String(),
    length: Type.Integer(),
    head_hash: Hash,
    covered: Type.Integer({ description: "number of entries from the start that the tree of the checkpoint contains" }),
    tree_size: Type.Integer({ description: "size of the checkpoint's tree; 0 without a checkpoint" }),
    at: Type.String(),
    key_id: Hash,
    signature: Type.String(),
  },
  { title: "LedgerChain" },
);
export type ChainBody = Static<typeof ChainBody>;

export const ProvenEntryBody = Type.Object(
  {
    entry: EntryBody,
    leaf_index: Type.Union([Type.Integer(), Type.Null()]),
    audit_path: Type.Union([Type.Array(Hash), Type.Null()]),
  },
  { title: "ProvenLedgerEntry" },
);
export type ProvenEntryBody = Static<typeof ProvenEntryBody>;

/** Everything needed to verify the chain of a case offline. */
export const BundleBody = Type.Object(
  {
    format: Type.Literal("manara-soc-ledger-1"),
    public_key: Type.String({ description: "Ed25519, 32 bytes in hex; its SHA-256 is the key_id" }),
    checkpoint: Type.Union([CheckpointBody, Type.Null()]),
    chain: ChainBody,
    entries: Type.Array(ProvenEntryBody),
  },
  { title: "LedgerBundle" },
);
export type BundleBody = Static<typeof BundleBody>;

export const ProofQuery = Type.Object({
  case_id: Type.String({ format: "uuid" }),
  sequence: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const ProofBody = Type.Object(
  {
    entry: EntryBody,
    leaf_index: Type.Integer(),
    audit_path: Type.Array(Hash),
    checkpoint: CheckpointBody,
    public_key: Type.String(),
  },
  { title: "LedgerProof" },
);
export type ProofBody = Static<typeof ProofBody>;

export const BundleQuery = Type.Object({ case_id: Type.String({ format: "uuid" }) });

const TreeSize = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
export const ConsistencyQuery = Type.Object({ from: TreeSize, to: TreeSize });

export const ConsistencyBody = Type.Object(
  {
    from: CheckpointBody,
    to: CheckpointBody,
    proof: Type.Array(Hash),
    public_key: Type.String(),
  },
  { title: "LedgerConsistency" },
);
export type ConsistencyBody = Static<typeof ConsistencyBody>;
