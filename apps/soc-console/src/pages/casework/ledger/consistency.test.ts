import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isConsistent } from "./consistency.ts";

// The reference tree of Certificate Transparency (transparency-dev/merkle, testonly): roots by size and consistency
// proofs.
const ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const PROOFS: readonly [number, number, string[]][] = [
  [1, 1, []],
  [
    1,
    8,
    [
      "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
  ],
  [
    6,
    8,
    [
      "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
  ],
  [
    2,
    5,
    [
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
  ],
  [
    6,
    7,
    [
      "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
      "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
  ],
];

const head = (size: number, root = ROOTS[size - 1] ?? "") => ({ size, root });
const OTHER = "00".repeat(32);

describe("the consistency of two trees (RFC 6962)", () => {
  it.each(PROOFS)("accepts the reference proof from %i to %i", async (from, to, proof) => {
    expect(await isConsistent(head(from), head(to), proof)).toBe(true);
  });

  it.each(PROOFS)("rejects every forged form of the proof from %i to %i", async (from, to, proof) => {
    const changed = proof.map((_, at) => proof.with(at, OTHER));
    const cut = proof.length > 0 ? [proof.slice(1), proof.slice(0, -1), []] : [];
    for (const forged of [...changed, ...cut, [...proof, OTHER], [OTHER, ...proof], proof.toReversed()]) {
      const isTheSame = forged.join() === proof.join();
      expect(await isConsistent(head(from), head(to), forged)).toBe(isTheSame);
    }
    expect(await isConsistent(head(from, OTHER), head(to), proof)).toBe(false);
    expect(await isConsistent(head(from), head(to, OTHER), proof)).toBe(false);
  });

  it("rejects a tree that shrank, is empty, or has another size than the proof", async () => {
    const [, , proof = []] = PROOFS[2] ?? [];
    expect(await isConsistent(head(8), head(6), proof)).toBe(false);
    expect(await isConsistent({ size: 0, root: OTHER }, head(8), [])).toBe(false);
    expect(await isConsistent(head(5), head(8), proof)).toBe(false);
    expect(await isConsistent(head(6), head(7), proof)).toBe(false);
    expect(await isConsistent({ size: Number.NaN, root: OTHER }, head(8), proof)).toBe(false);
  });

  it("accepts exactly the proof of section 2.1.2 for every pair of sizes up to 12", async () => {
    const leaves = Array.from({ length: 12 }, (_, at) => hash(`00${at.toString(16).padStart(4, "0")}`));
    const sizes = leaves.map((_, at) => at + 1);
    for (const to of sizes) {
      for (const from of sizes.filter((size) => size <= to)) {
        const proof = subproof(from, leaves.slice(0, to), true);
        const [earlier, later] = [leaves.slice(0, from), leaves.slice(0, to)];
        expect(await isConsistent(head(from, mth(earlier)), head(to, mth(later)), proof)).toBe(true);
        const swapped = earlier.toReversed();
        if (from > 1) expect(await isConsistent(head(from, mth(swapped)), head(to, mth(later)), proof)).toBe(false);
      }
    }
  });
});

// The definitions of RFC 6962, sections 2.1 and 2.1.2, verbatim. Leaves are hashed already.
function hash(hex: string): string {
  return createHash("sha256").update(hex, "hex").digest("hex");
}

function split(leaves: readonly string[]): [string[], string[]] {
  const middle = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1);
  return [leaves.slice(0, middle), leaves.slice(middle)];
}

function mth(leaves: readonly string[]): string {
  if (leaves.length === 1) return leaves[0] ?? "";
  const [left, right] = split(leaves);
  return hash(`01${mth(left)}${mth(right)}`);
}

function subproof(size: number, leaves: readonly string[], isComplete: boolean): string[] {
  if (size === leaves.length) return isComplete ? [] : [mth(leaves)];
  const [left, right] = split(leaves);
  return size <= left.length
    ? [...subproof(size, left, isComplete), mth(right)]
    : [...subproof(size - left.length, right, false), mth(left)];
}
