import { createHash } from "node:crypto";

/** A complete subtree of 2^level leaves, beginning at leaf position × 2^level. */
export interface NodePlace {
  level: number;
  position: number;
}

export interface TreeNode extends NodePlace {
  hash: string;
}

/** The leaves from start (inclusive) to end (exclusive). */
export interface Range {
  start: number;
  end: number;
}

/** RFC 6962, section 2.1: a prefix distinguishes the hash of a leaf from the hash of a node. */
export function leafHashOf(data: Uint8Array): string {
  return createHash("sha256").update(Uint8Array.of(0)).update(data).digest("hex");
}

export function nodeHashOf(left: string, right: string): string {
  return createHash("sha256").update(Uint8Array.of(1)).update(left, "hex").update(right, "hex").digest("hex");
}

/** Lists the complete subtrees of a range of the tree from left to right. */
export function listSubtrees({ start, end }: Range): NodePlace[] {
  if (start === end) return [];
  const level = 31 - Math.clz32(end - start);
  const width = 2 ** level;
  return [{ level, position: start / width }, ...listSubtrees({ start: start + width, end })];
}

export function computeRangeHash(range: Range, hashAt: (place: NodePlace) => string): string {
  return listSubtrees(range)
    .map(hashAt)
    .reduceRight((right, left) => nodeHashOf(left, right));
}

/** Returns where RFC 6962 splits a range: after the largest power of two smaller than its size. */
function middleOf({ start, end }: Range): number {
  return start + 2 ** (31 - Math.clz32(end - start - 1));
}

/** Section 2.1.1: lists the ranges whose hashes form the audit path from a leaf to the root. */
export function inclusionRanges(leafIndex: number, range: Range): Range[] {
  if (range.end - range.start === 1) return [];
  const middle = middleOf(range);
  const left = { start: range.start, end: middle };
  const right = { start: middle, end: range.end };
  return leafIndex < middle
    ? [...inclusionRanges(leafIndex, left), right]
    : [...inclusionRanges(leafIndex, right), left];
}

/** Section 2.1.2: lists the ranges whose hashes prove that the tree of the first size is a prefix of the other. */
export function consistencyRanges(from: number, to: number): Range[] {
  return subproof(from, { start: 0, end: to }, true);
}

function subproof(from: number, range: Range, isKnown: boolean): Range[] {
  if (from === range.end) return isKnown ? [] : [range];
  const middle = middleOf(range);
  const left = { start: range.start, end: middle };
  const right = { start: middle, end: range.end };
  return from <= middle ? [...subproof(from, left, isKnown), right] : [...subproof(from, right, false), left];
}

/** Returns the new complete subtrees after adding leaves to a tree, given the subtrees at its right edge. */
export function grow(size: number, edge: readonly TreeNode[], leafHashes: readonly string[]): TreeNode[] {
  const open = [...edge];
  const added: TreeNode[] = [];
  for (const [index, hash] of leafHashes.entries()) {
    let node: TreeNode = { level: 0, position: size + index, hash };
    added.push(node);
    while (node.position % 2 === 1) {
      const left = open.pop();
      if (left?.level !== node.level) throw new Error("the right edge of the tree does not match its size");
      node = { level: node.level + 1, position: (node.position - 1) / 2, hash: nodeHashOf(left.hash, node.hash) };
      added.push(node);
    }
    open.push(node);
  }
  return added;
}
