import { type Bytes, concatBytes, fromHex, sha256, toHex } from "./bytes.ts";

/**
 * The root that an audit path leads to, by RFC 6962, section 2.1.1: a leaf is hashed after a zero byte, a node after a one.
 * Undefined when the path has the wrong length for this leaf.
 */
export async function climbToRoot(
  leaf: string,
  leafIndex: number,
  treeSize: number,
  path: readonly string[],
): Promise<string | undefined> {
  if (!Number.isSafeInteger(leafIndex) || leafIndex < 0 || leafIndex >= treeSize) return undefined;
  const root = await climb(fromHex(leaf), leafIndex, treeSize, path);
  return root && toHex(root);
}

async function climb(leaf: Bytes, index: number, size: number, path: readonly string[]): Promise<Bytes | undefined> {
  const last = path.at(-1);
  if (size === 1) return last === undefined ? sha256(concatBytes(Uint8Array.of(0), leaf)) : undefined;
  if (last === undefined) return undefined;
  const leftSize = largestPowerBelow(size);
  const [sibling, rest] = [fromHex(last), path.slice(0, -1)];
  if (index < leftSize) {
    const left = await climb(leaf, index, leftSize, rest);
    return left && sha256(concatBytes(Uint8Array.of(1), left, sibling));
  }
  const right = await climb(leaf, index - leftSize, size - leftSize, rest);
  return right && sha256(concatBytes(Uint8Array.of(1), sibling, right));
}

/** Where RFC 6962 splits a tree: the largest power of two that is smaller than its size. */
function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}
