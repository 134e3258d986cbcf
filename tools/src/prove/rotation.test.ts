import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BENCHES } from "./benches.ts";
import { PROOFS } from "./proofs.ts";
import { buildSlices, MAX_SLICE_SECONDS, pickSlice, ROTATED } from "./rotation.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FILES = Object.keys(ROTATED);

it("names only files that exist", () => {
  expect(FILES.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

it.each([1, 2, 3, 5])("runs each file at least once in 20 builds of every %d. commit", (step) => {
  const run = new Set(Array.from({ length: 20 }, (_, build) => pickSlice(1000 + step * build)).flat());
  expect([...run].toSorted()).toEqual(FILES.toSorted());
});

it("has no slice that takes more than five minutes", () => {
  expect(buildSlices().filter(({ files, seconds }) => files.length === 0 || seconds > MAX_SLICE_SECONDS)).toEqual([]);
});

it("keeps the tests of tenant isolation and of hostile texts in every build", () => {
  expect(FILES.filter((file) => /without-scope|sites|by-site|isolation|payloads|hostile/.test(file))).toEqual([]);
});

it("runs every proof and every bench in one shard of the nightly workflow", () => {
  const workflow = readFileSync(join(ROOT, ".github/workflows/nightly.yml"), "utf8");
  const list = (table: string) =>
    [...workflow.matchAll(new RegExp(`^ +- ${table} -- (.*)$`, "gm"))]
      .flatMap(([, names = ""]) => names.split(" "))
      .toSorted();
  expect(list("prove")).toEqual(PROOFS.map(({ name }) => name).toSorted());
  expect(list("bench")).toEqual(BENCHES.map(({ name }) => name).toSorted());
});
