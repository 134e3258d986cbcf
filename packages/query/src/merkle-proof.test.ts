import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { climbToRoot } from "./merkle-proof.ts";

// The reference tree of Certificate Transparency (transparency-dev/merkle, testonly): leaves, roots and audit paths.
const LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const ROOT_OF_1 = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d";
const ROOT_OF_2 = "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125";
const ROOT_OF_3 = "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77";
const ROOT_OF_5 = "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4";
const ROOT_OF_8 = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328";
const PATH_5_OF_8 = [
  "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
  "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
];

const climb = (leaf: number, size: number, path: readonly string[]) =>
  climbToRoot(LEAVES[leaf] ?? "", leaf, size, path, (bytes) => createHash("sha256").update(bytes).digest());

describe("path from a leaf to the root (RFC 6962)", () => {
  it.each<[number, number, string, string[]]>([
    [0, 1, ROOT_OF_1, []],
    [
      0,
      8,
      ROOT_OF_8,
      [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ],
    ],
    [5, 8, ROOT_OF_8, PATH_5_OF_8],
    [2, 3, ROOT_OF_3, [ROOT_OF_2]],
    [
      1,
      5,
      ROOT_OF_5,
      [
        ROOT_OF_1,
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      ],
    ],
  ])("leads leaf %i of %i to the root of the reference", async (leaf, size, root, path) => {
    expect(await climb(leaf, size, path)).toBe(root);
  });

  it("refuses a path with more or fewer hashes than the tree requires", async () => {
    expect(await climb(5, 8, PATH_5_OF_8.slice(1))).toBeUndefined();
    expect(await climb(5, 8, [...PATH_5_OF_8, ROOT_OF_1])).toBeUndefined();
    expect(await climb(0, 1, [ROOT_OF_1])).toBeUndefined();
  });

  it("computes no root for a position outside the tree", async () => {
    expect(await climb(8, 8, PATH_5_OF_8)).toBeUndefined();
    expect(await climb(-1, 8, PATH_5_OF_8)).toBeUndefined();
  });

  it("computes a different root for another position", async () => {
    expect(await climb(4, 8, PATH_5_OF_8)).not.toBe(ROOT_OF_8);
  });
});
