import Value from "typebox/value";
import { canonicalJson } from "../../foundation/records/canonical-json.ts";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import { FIRST_PREVIOUS_HASH, formatCheckpoint } from "../ledger/ledger.ts";
import { computeRangeHash, grow, inclusionRanges, leafHashOf, type NodePlace, type Range } from "../ledger/merkle.ts";
import { climb } from "../ledger/verify.ts";
import { type LeafBody, type ProvenLeafBody, type RootBody, type StatementBody, TreeBody } from "./cells.schema.ts";

/** The newest checkpoint of each cell, by the names of the cells. A cell without one has no leaf yet. */
export function toLeaves(statements: readonly StatementBody[]): LeafBody[] {
  const leaves = statements.flatMap(({ cell, checkpoint, public_key }) =>
    checkpoint ? [{ cell, checkpoint, public_key }] : [],
  );
  return leaves.toSorted((a, b) => (a.cell < b.cell ? -1 : 1));
}

/** The bytes whose hash is the leaf. */
function formatLeaf({ cell, checkpoint, public_key }: LeafBody): Uint8Array {
  const { tree_size, root_hash, at, key_id, signature } = checkpoint;
  const text = canonicalJson({ cell, checkpoint: { tree_size, root_hash, at, key_id, signature }, public_key });
  return new TextEncoder().encode(text);
}

/** Domain separation, as for the statements of the ledger. */
function formatRoot({ number, size, root_hash, previous_hash, at, key_id }: Omit<RootBody, "signature">): string {
  return canonicalJson({ cells_root: { number, size, root_hash, previous_hash, at, key_id } });
}

function hashLeaves(leaves: readonly LeafBody[]): (place: NodePlace) => string {
  const grown = grow(
    0,
    [],
    leaves.map((leaf) => leafHashOf(formatLeaf(leaf))),
  );
  const nodes = new Map(grown.map(({ level, position, hash }) => [`${level}/${position}`, hash]));
  return ({ level, position }) => nodes.get(`${level}/${position}`) ?? "";
}

const wholeRange = (leaves: readonly LeafBody[]): Range => ({ start: 0, end: leaves.length });

/** Signs the next root, over at least one leaf; undefined when the leaves are those of the former root. */
export function signNextRoot(
  key: LedgerKey,
  leaves: readonly LeafBody[],
  former: Pick<RootBody, "number" | "root_hash"> | undefined,
  at: Date,
): RootBody | undefined {
  if (leaves.length === 0) return undefined;
  const root_hash = computeRangeHash(wholeRange(leaves), hashLeaves(leaves));
  if (root_hash === former?.root_hash) return undefined;
  const made = {
    number: (former?.number ?? 0) + 1,
    size: leaves.length,
    root_hash,
    previous_hash: former?.root_hash ?? FIRST_PREVIOUS_HASH,
    at: at.toISOString(),
    key_id: key.key_id,
  };
  return { ...made, signature: key.sign(formatRoot(made)) };
}

/** The root with its leaves and the way from each leaf to the root. */
export function proveLeaves(public_key: string, root: RootBody, leaves: readonly LeafBody[]): TreeBody {
  const hashAt = hashLeaves(leaves);
  const proven = leaves.map((leaf, leaf_index) => {
    const ranges = inclusionRanges(leaf_index, wholeRange(leaves));
    return { leaf, leaf_index, audit_path: ranges.map((range) => computeRangeHash(range, hashAt)) };
  });
  return { format: "manara-soc-cells-1", public_key, root, leaves: proven };
}

/** The tree over cells in a file: the file itself, or the answer of GET /cells; undefined without one. */
export function readTree(file: unknown): TreeBody | undefined {
  if (Value.Check(TreeBody, file)) return file;
  const inside: unknown = typeof file === "object" && file !== null && "tree" in file ? file.tree : undefined;
  return Value.Check(TreeBody, inside) ? inside : undefined;
}

/**
 * The first fault of a tree over cells; undefined if it is genuine. A file that holds only some of the leaves is
 * genuine as well: each leaf is proven by itself.
 */
export async function findTreeFault(tree: TreeBody, trustedKeyId?: string): Promise<string | undefined> {
  const { public_key, root, leaves } = tree;
  if (trustedKeyId !== undefined && root.key_id !== trustedKeyId) {
    return `the root is signed by key ${root.key_id}, not by the trusted one`;
  }
  if (!isKey(public_key, root.key_id)) return "public_key is not the key that the root names in key_id";
  if (!isSigned(public_key, formatRoot(root), root.signature))
    return "the root was changed: its signature does not match";
  if (leaves.length === 0) return "it holds no leaf";
  for (const proven of leaves) {
    const fault = await findLeafFault(proven, root);
    if (fault !== undefined) return `cell '${proven.leaf.cell}': ${fault}`;
  }
  return undefined;
}

async function findLeafFault(
  { leaf, leaf_index, audit_path }: ProvenLeafBody,
  root: RootBody,
): Promise<string | undefined> {
  const { checkpoint, public_key } = leaf;
  if (!isKey(public_key, checkpoint.key_id)) return "public_key is not the key of the checkpoint";
  if (!isSigned(public_key, formatCheckpoint(checkpoint), checkpoint.signature)) {
    return "the checkpoint was changed: its signature does not match";
  }
  const found = await climb(formatLeaf(leaf), leaf_index, root.size, audit_path, { sha256, verifyEd25519 });
  const isProven = found !== undefined && Buffer.from(found).toString("hex") === root.root_hash;
  return isProven ? undefined : "the proof does not lead to the root";
}

function isKey(publicKey: string, keyId: string): boolean {
  return Buffer.from(sha256(Buffer.from(publicKey, "hex"))).toString("hex") === keyId;
}

function isSigned(publicKey: string, text: string, signature: string): boolean {
  const [key, signed] = [Buffer.from(publicKey, "hex"), Buffer.from(signature, "hex")];
  return key.length === 32 && verifyEd25519(key, Buffer.from(text), signed);
}

/** The verdict as text for people. */
export function formatTreeVerdict({ root, leaves }: TreeBody, fault: string | undefined): string {
  if (fault !== undefined) return `NOT GENUINE: ${fault}`;
  const cells = leaves.map(({ leaf }) => `${leaf.cell} (${leaf.checkpoint.tree_size} entries)`).join(", ");
  return `GENUINE: root ${root.number} of ${root.at} over ${root.size} cells proves ${cells}. Signed by key ${root.key_id}`;
}
