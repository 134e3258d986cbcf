import Type, { type Static } from "typebox";
import { AuditEntryBody, AuditFilter } from "../../foundation/audit/audit.schema.ts";
import { InstantOrNull } from "../../foundation/schema/fields.schema.ts";
import { CheckpointBody, ProvenEntryBody } from "../ledger/ledger.schema.ts";

const UUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

/** The entries of one page by their ids, or those that match the filter. */
export const AuditBundleQuery = Type.Object({
  ids: Type.Optional(
    Type.String({ pattern: `^${UUID}(,${UUID}){0,199}$`, description: "ids with commas between them" }),
  ),
  ...AuditFilter.properties,
});
export type AuditBundleQuery = Static<typeof AuditBundleQuery>;

/** Audit entries, and the batches of the ledger that name them, with proofs up to one checkpoint. */
export const AuditBundleBody = Type.Object(
  {
    format: Type.Literal("manara-soc-audit-1"),
    public_key: Type.String({ description: "Ed25519, 32 bytes in hex; its SHA-256 is the key_id" }),
    checkpoint: Type.Union([CheckpointBody, Type.Null()]),
    batches: Type.Array(ProvenEntryBody, {
      description: "the ledger entries that name the audit entries; without a path until a checkpoint covers them",
    }),
    entries: Type.Array(AuditEntryBody),
  },
  { title: "AuditBundle" },
);
export type AuditBundleBody = Static<typeof AuditBundleBody>;

export const ReceiverBody = Type.Object(
  {
    receiver: Type.String(),
    state: Type.Enum(["sending", "failing", "paused", "starting"], {
      description: "`paused`: the mode sends nothing. `starting`: it has sent nothing yet.",
    }),
    waiting: Type.Integer({ description: "batches that it has not accepted yet" }),
    lag_s: Type.Integer({ description: "age of the oldest of them" }),
    sent_at: InstantOrNull,
    failure: Type.Union([Type.String(), Type.Null()]),
    failed_at: InstantOrNull,
  },
  { title: "AuditReceiver" },
);
export type ReceiverBody = Static<typeof ReceiverBody>;

export const AuditChainStatusBody = Type.Object(
  {
    waiting: Type.Integer({ description: "entries that have not joined the ledger yet" }),
    lag_s: Type.Integer({ description: "age of the oldest of them" }),
    is_backfilled: Type.Boolean({ description: "whether all entries of the time before the chain have joined it" }),
    fully_checked_at: InstantOrNull,
    faults: Type.Array(Type.String(), { description: "faults that no operator has accepted, at most 100" }),
    receivers: Type.Array(ReceiverBody),
  },
  { title: "AuditChainStatus" },
);
export type AuditChainStatusBody = Static<typeof AuditChainStatusBody>;
