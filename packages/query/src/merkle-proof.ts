import { type Bytes, concatBytes, fromHex, toHex } from "./bytes.ts";

/** SHA-256 of the platform: node:crypto or the WebCrypto of a browser. */
export type Sha256 = (bytes: Bytes) => Uint8Array | Promise<Uint8Array>;

/**
 * The root that an audit path of RFC 6962, section 2.1.1, leads to, by the algorithm of RFC 9162, section 2.1.3.2: a leaf is
 * hashed after a zero byte, a node after a one. Undefined when the path has the wrong length for this leaf.
 */
export async function climbToRoot(
  leaf: string,
  leafIndex: number,
  treeSize: number,
  path: readonly string[],
  sha256: Sha256,
): Promise<string | undefined> {
  if (!Number.isSafeInteger(leafIndex) || leafIndex < 0 || leafIndex >= treeSize) return undefined;
  let [index, last] = [leafIndex, treeSize - 1];
  let root = await sha256(concatBytes(Uint8Array.of(0), fromHex(leaf)));
  for (const hex of path) {
    if (last === 0) return undefined;
    const isRight = index % 2 === 1 || index === last;
    const nodes = isRight ? [fromHex(hex), root] : [root, fromHex(hex)];
    root = await sha256(concatBytes(Uint8Array.of(1), ...nodes));
    // A last node without a sibling is carried up to the level where it has one.
    while (isRight && index % 2 === 0 && index !== 0) [index, last] = [index / 2, Math.floor(last / 2)];
    [index, last] = [Math.floor(index / 2), Math.floor(last / 2)];
  }
  return last === 0 ? toHex(root) : undefined;
}
