import { sha256Hex } from "../../foundation/records/digest.ts";
import type { EntryBody } from "./ledger.schema.ts";
import { FIRST_PREVIOUS_HASH, formatHashedEntry } from "./ledger.ts";
import { grow, leafHashOf, type NodePlace, nodeHashOf, type Range } from "./merkle.ts";

/** One deviation of the database from what was written. */
export interface Fault {
  /** The entry, place or node. The same fault has the same subject when it is found again. */
  subject: string;
  what: string;
}

export interface Leaf extends Pick<EntryBody, "case_id" | "sequence"> {
  leaf_index: number;
  /** Undefined when the tree names an entry that does not exist. */
  entry: EntryBody | undefined;
}

/** Places of the tree from `start`, a multiple of `CHECK_SIZE`, with all complete subtrees inside the range. */
export interface TreePiece {
  range: Range;
  leaves: readonly Leaf[];
  hashAt: (place: NodePlace) => string | undefined;
}

/** An entry with what its chain needs; `isListed` tells whether the tree or the waiting list contains it. */
export interface ChainLink extends Pick<EntryBody, "case_id" | "sequence" | "previous_hash" | "entry_hash"> {
  isListed: boolean;
}

/** A power of two, so that a piece is a complete subtree. */
export const CHECK_SIZE = 512;
const CHECK_LEVEL = Math.log2(CHECK_SIZE);

type EntryName = Pick<EntryBody, "case_id" | "sequence">;

const nameOf = ({ case_id, sequence }: EntryName) => `entry ${case_id}/${sequence}`;

function createFault(subject: string, what: string): Fault {
  return { subject, what: `${subject} ${what}` };
}

/** Reports whether the content of the entry matches its stored hash. */
function isIntact({ entry_hash, ...content }: EntryBody): boolean {
  return sha256Hex(formatHashedEntry(content)) === entry_hash;
}

export function findEntryFault(name: EntryName, entry: EntryBody | undefined): Fault | undefined {
  if (!entry) return createFault(nameOf(name), "was removed");
  return isIntact(entry) ? undefined : createFault(nameOf(name), "was changed");
}

/** Recomputes every entry, every leaf and every node of a piece of the tree. */
export function findTreeFaults({ range, leaves, hashAt }: TreePiece): Fault[] {
  const byIndex = new Map(leaves.map((leaf) => [leaf.leaf_index, leaf]));
  const faults: Fault[] = [];
  const hashes: string[] = [];
  for (let index = range.start; index < range.end; index += 1) {
    const leaf = byIndex.get(index);
    const fault = leaf ? findLeafFault(leaf, hashAt) : createFault(`place ${index} of the tree`, "is empty");
    if (fault) faults.push(fault);
    hashes.push(hashAt({ level: 0, position: index }) ?? "");
  }
  return [...faults, ...findNodeFaults(range, hashes, hashAt)];
}

function findLeafFault(leaf: Leaf, hashAt: TreePiece["hashAt"]): Fault | undefined {
  const fault = findEntryFault(leaf, leaf.entry);
  if (fault || !leaf.entry) return fault;
  const signed = hashAt({ level: 0, position: leaf.leaf_index });
  const isSigned = leafHashOf(Buffer.from(leaf.entry.entry_hash, "hex")) === signed;
  return isSigned ? undefined : createFault(nameOf(leaf), `is not the one that was signed at place ${leaf.leaf_index}`);
}

function findNodeFaults({ start, end }: Range, leafHashes: readonly string[], hashAt: TreePiece["hashAt"]): Fault[] {
  const shift = ({ level, position }: NodePlace) => ({ level, position: position + start / 2 ** level });
  const inside = grow(0, [], leafHashes)
    .filter(({ level }) => level > 0)
    .filter((node) => hashAt(shift(node)) !== node.hash)
    .map((node) => createNodeFault(shift(node)));
  if (end - start < CHECK_SIZE) return inside;
  const above = listAncestors(start / CHECK_SIZE).filter(({ level, position }) => {
    const left = hashAt({ level: level - 1, position: 2 * position }) ?? "";
    const right = hashAt({ level: level - 1, position: 2 * position + 1 }) ?? "";
    return hashAt({ level, position }) !== nodeHashOf(left, right);
  });
  return [...inside, ...above.map(createNodeFault)];
}

function createNodeFault({ level, position }: NodePlace): Fault {
  return createFault(`node ${level}/${position} of the tree`, "was changed or removed");
}

/** Lists the nodes above a piece that become complete with it. */
export function listAncestors(piece: number): NodePlace[] {
  const nodes: NodePlace[] = [];
  let place = { level: CHECK_LEVEL, position: piece };
  while (place.position % 2 === 1) {
    place = { level: place.level + 1, position: (place.position - 1) / 2 };
    nodes.push(place);
  }
  return nodes;
}

/** Checks entries in the order of their chains; `before` is the entry before the first of them. */
export function findChainFaults(before: ChainLink | undefined, links: readonly ChainLink[]): Fault[] {
  return links.flatMap((link, index) => {
    const last = index === 0 ? before : links[index - 1];
    const previous = last?.case_id === link.case_id ? last : undefined;
    return findLinkFaults(previous, link);
  });
}

function findLinkFaults(previous: ChainLink | undefined, link: ChainLink): Fault[] {
  const sequence = (previous?.sequence ?? 0) + 1;
  if (link.sequence !== sequence) return [createFault(nameOf({ ...link, sequence }), "was removed")];
  const faults: Fault[] = [];
  if (link.previous_hash !== (previous?.entry_hash ?? FIRST_PREVIOUS_HASH)) {
    faults.push(createFault(nameOf(link), "does not follow the entry before it"));
  }
  if (!link.isListed) faults.push(createFault(nameOf(link), "is neither in the tree nor waiting for it"));
  return faults;
}
