import { expect, it } from "vitest";
import { importCycles } from "./import-cycles.ts";
import { plantedTree } from "./planted-tree.ts";

const file = (name: string) => `packages/http/src/${name}.ts`;

it("reports the size and the members of each cycle, largest first", () => {
  const tree = plantedTree({
    [file("start")]: `import "./one.ts"; import "./left.ts";`,
    [file("one")]: `import type { Two } from "./two.ts";`,
    [file("two")]: `import type { One } from "./one.ts"; import "./left.ts";`,
    [file("left")]: `import "./middle.ts"; import "./end.ts";`,
    [file("middle")]: `import "./right.ts"; import "./left.ts";`,
    [file("right")]: `import type { Left } from "./left.ts"; import "./end.ts";`,
    [file("end")]: `import "./missing.ts"; import "./end.ts"; import "@kit/clock";`,
    [file("start.test")]: `import "./start.ts";`,
  });
  const [left, middle, right, one, two] = ["left", "middle", "right", "one", "two"].map(file);
  expect(importCycles.check(tree)).toEqual([
    `${left}:1 is in a cycle of 3 files: ${left}, ${middle}, ${right}`,
    `${one}:1 is in a cycle of 2 files: ${one}, ${two}`,
  ]);
});

it("follows a chain of imports that is deeper than the call stack", () => {
  const links = Array.from({ length: 12_000 }, (_, at) => [file(`a${at}`), `import "./a${at + 1}.ts";`]);
  expect(importCycles.check(plantedTree(Object.fromEntries(links)))).toEqual([]);
});
