import { type Bytes, concatBytes, fromHex, toHex } from "@kit/query/bytes";
import { sha256 } from "./bytes.ts";

export interface TreeHead {
  size: number;
  /** In hex. */
  root: string;
}

/**
 * Whether the later tree starts with the whole earlier one: the algorithm of RFC 9162, section 2.1.4.2, for proofs of
 * RFC 6962, section 2.1.2. It computes both roots from the proof, and rejects a proof that is too short or too long.
 */
export async function isConsistent(earlier: TreeHead, later: TreeHead, proof: readonly string[]): Promise<boolean> {
  const isInOrder = Number.isSafeInteger(later.size) && Number.isSafeInteger(earlier.size) && earlier.size > 0;
  if (!isInOrder || earlier.size > later.size) return false;
  if (earlier.size === later.size) return proof.length === 0 && earlier.root === later.root;
  if (proof.length === 0) return false;
  const roots = await computeRoots(earlier, later, proof);
  return roots !== undefined && roots.earlier === earlier.root && roots.later === later.root;
}

async function computeRoots(earlier: TreeHead, later: TreeHead, proof: readonly string[]) {
  // The root of a complete tree is itself a node of the later tree, so the proof omits it.
  const [first = "", ...path] = isPowerOfTwo(earlier.size) ? [earlier.root, ...proof] : proof;
  let [fn, sn] = [earlier.size - 1, later.size - 1];
  while (isOdd(fn)) [fn, sn] = [half(fn), half(sn)];
  let [former, latter] = [fromHex(first), fromHex(first)];
  for (const hex of path) {
    if (sn === 0) return undefined;
    const node = fromHex(hex);
    if (isOdd(fn) || fn === sn) {
      former = await hashNodes(node, former);
      latter = await hashNodes(node, latter);
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      latter = await hashNodes(latter, node);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 ? { earlier: toHex(former), later: toHex(latter) } : undefined;
}

function hashNodes(left: Bytes, right: Bytes): Promise<Bytes> {
  return sha256(concatBytes(Uint8Array.of(1), left, right));
}

const isOdd = (value: number) => value % 2 === 1;
const half = (value: number) => Math.floor(value / 2);

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value));
}
