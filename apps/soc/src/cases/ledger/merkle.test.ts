import { describe, expect, it } from "vitest";
import { computeRangeHash, consistencyRanges, grow, inclusionRanges, leafHashOf, type NodePlace } from "./merkle.ts";

// The reference tree of Certificate Transparency (transparency-dev/merkle, testonly): leaves, and the root for each
// size.
const LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
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

const leafHashes = LEAVES.map((leaf) => leafHashOf(Buffer.from(leaf, "hex")));
const nodes = grow(0, [], leafHashes);
const hashAt = ({ level, position }: NodePlace) =>
  nodes.find((node) => node.level === level && node.position === position)?.hash ?? "";
const hashes = (ranges: { start: number; end: number }[]) => ranges.map((range) => computeRangeHash(range, hashAt));

describe("the Merkle tree (RFC 6962)", () => {
  it.each(ROOTS.map((root, index) => [index + 1, root] as const))(
    "computes for %i leaves the root %s",
    (size, root) => {
      expect(computeRangeHash({ start: 0, end: size }, hashAt)).toBe(root);
    },
  );

  it.each([
    [0, 1, []],
    [
      ...[0, 8],
      [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ],
    ],
    [
      ...[5, 8],
      [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
    [2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]],
    [
      ...[1, 5],
      [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      ],
    ],
  ] as [number, number, string[]][])("proves leaf %i of %i with the path of the reference", (leaf, size, path) => {
    expect(hashes(inclusionRanges(leaf, { start: 0, end: size }))).toEqual(path);
  });

  it.each([
    [1, 1, []],
    [
      ...[1, 8],
      [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ],
    ],
    [
      ...[6, 8],
      [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
    [
      ...[2, 5],
      [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      ],
    ],
    [
      ...[6, 7],
      [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
  ] as [number, number, string[]][])("proves that size %i grew to %i like the reference", (from, to, proof) => {
    expect(hashes(consistencyRanges(from, to))).toEqual(proof);
  });

  it.each([1, 2, 3, 4, 5, 6, 7])("grows to the same nodes in two steps, split after %i", (size) => {
    const first = grow(0, [], leafHashes.slice(0, size));
    const edge = first.filter(({ level, position }) => {
      const isLeftOfAnother = first.some(
        (other) => other.level > level && other.position === position >> (other.level - level),
      );
      return !isLeftOfAnother;
    });
    const rightEdge = edge.toSorted((a, b) => b.level - a.level);
    expect([...first, ...grow(size, rightEdge, leafHashes.slice(size))]).toEqual(nodes);
  });

  it("refuses to grow from an edge that does not match its size", () => {
    expect(() => grow(1, [], leafHashes)).toThrow(/right edge/);
  });
});
