import Type, { type Static } from "typebox";
import { InstantOrNull, TextOrNull } from "../../foundation/schema/fields.schema.ts";
import { CheckpointBody } from "../ledger/ledger.schema.ts";

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });

/** The statement of a cell has all of them, and must fit into an answer of 1 MiB. */
export const MAX_SITES = 3000;

export const CellSiteBody = Type.Object({
  id: Type.String({ maxLength: 36 }),
  name: Type.String({ maxLength: 200 }),
});
export type CellSiteBody = Static<typeof CellSiteBody>;

/** What a cell says of itself, signed by its ledger key: its sites, and the newest checkpoint of its tree. */
export const StatementBody = Type.Object({
  cell: Type.String({ maxLength: 63 }),
  at: Type.String({ format: "date-time" }),
  sites: Type.Array(CellSiteBody, { maxItems: MAX_SITES }),
  checkpoint: Type.Union([CheckpointBody, Type.Null()]),
  public_key: Hash,
  signature: Type.String({ pattern: "^[0-9a-f]{128}$" }),
});
export type StatementBody = Static<typeof StatementBody>;

/** One leaf of the tree over the cells: the newest checkpoint of a cell that the cell of the tree has seen. */
export const LeafBody = Type.Object({ cell: Type.String(), checkpoint: CheckpointBody, public_key: Type.String() });
export type LeafBody = Static<typeof LeafBody>;

/** A signed root of the tree over the cells. `previous_hash` is the root before it, 64 zeros for the first. */
export const RootBody = Type.Object({
  number: Type.Integer(),
  size: Type.Integer(),
  root_hash: Type.String(),
  previous_hash: Type.String(),
  at: Type.String(),
  key_id: Type.String(),
  signature: Type.String(),
});
export type RootBody = Static<typeof RootBody>;

export const ProvenLeafBody = Type.Object({
  leaf: LeafBody,
  leaf_index: Type.Integer(),
  audit_path: Type.Array(Type.String()),
});
export type ProvenLeafBody = Static<typeof ProvenLeafBody>;

/** Everything that is needed to verify the tree over the cells offline. */
export const TreeBody = Type.Object({
  format: Type.Literal("manara-soc-cells-1"),
  public_key: Type.String({ description: "Ed25519, 32 bytes in hex; its SHA-256 is the key_id of the root" }),
  root: RootBody,
  leaves: Type.Array(ProvenLeafBody),
});
export type TreeBody = Static<typeof TreeBody>;

export const CellBody = Type.Object({
  name: Type.String(),
  url: Type.String(),
  ring: Type.Integer({ description: "rules and releases reach the cells of ring 1 first" }),
  is_self: Type.Boolean(),
  seen_at: InstantOrNull,
  problem: TextOrNull,
  sites: Type.Array(CellSiteBody),
  tree_size: Type.Union([Type.Integer(), Type.Null()]),
});
export type CellBody = Static<typeof CellBody>;

export const CellsBody = Type.Object({
  cell: Type.Union([Type.String(), Type.Null()], { description: "this cell; null for a platform that is none" }),
  statement: Type.Union([StatementBody, Type.Null()]),
  cells: Type.Array(CellBody),
  tree: Type.Union([TreeBody, Type.Null()]),
});
export type CellsBody = Static<typeof CellsBody>;

export const CellsQuery = Type.Object({ only: Type.Optional(Type.Enum(["self"])) }, { additionalProperties: false });
export type CellsQuery = Static<typeof CellsQuery>;
