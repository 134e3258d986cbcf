import { describe, expect, it } from "vitest";
import { plantedTree } from "./planted-tree.ts";
import { plainWords } from "./word-rules.ts";

const path = "packages/http/src/frame.ts";
const word = ["a", "way"].join("");
const tree = plantedTree({ [path]: `// It is ${word}, far ${word}.\nexport {};` });

function check(count: number): string[] {
  return plainWords({ [path]: { count, reason: "quotes a document" } }).check(tree);
}

describe("plainWords", () => {
  it("accepts as many words as the file is allowed", () => {
    expect(check(2)).toEqual([]);
  });

  it("reports every word of a file that uses more than it is allowed", () => {
    expect(check(1)).toEqual([`${path}:1 '${word}'`, `${path}:1 '${word}'`]);
  });

  it("reports an allowance that the file no longer needs", () => {
    expect(check(3)).toEqual([`${path}:1 uses 2 of 3 allowed words: lower the number`]);
  });

  it("reports allowances that are not under 30 words together", () => {
    expect(check(30)).toContain("allows 30 words, not under 30");
  });
});
