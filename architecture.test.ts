import { describe, expect, it } from "vitest";
import { RULES } from "./tools/src/architecture/rules.ts";
import { readTree } from "./tools/src/architecture/tree.ts";

const WORKSPACES = [
  "manara",
  "@kit/clock",
  "@kit/config",
  "@kit/guard",
  "@kit/http",
  "@kit/log",
  "@kit/problem",
  "@kit/query",
  "@kit/testing",
  "@player/dashboard",
  "@player/service",
  "@soc/console",
  "@soc/service",
  "@tests/e2e",
  "@tools/packaging",
  "@tools/scripts",
];

const tree = readTree(import.meta.dirname);

describe("the tree that the rules read", () => {
  it("has every workspace, and sources in each package", () => {
    expect(tree.workspaces.map(({ name }) => name).toSorted()).toEqual(WORKSPACES.toSorted());
    const dirsWithSources = new Set(tree.files.map(({ packageDir }) => packageDir));
    const withoutSources = tree.workspaces.filter(({ dir }) => !dirsWithSources.has(dir));
    expect(withoutSources.map(({ name }) => name)).toEqual([]);
    expect(tree.files.length).toBeGreaterThanOrEqual(60);
  });

  it("has the imports, the names and the comments of its files", () => {
    const clock = tree.files.find(({ path }) => path === "packages/clock/src/clock.ts");
    expect(clock?.imports.map(({ specifier }) => specifier)).toContain("node:timers/promises");
    expect(clock?.uses.map(({ name }) => name)).toEqual(expect.arrayContaining(["Date", "AbortSignal.timeout"]));
    expect(clock?.comments.some(({ text }) => text.includes("Time as a parameter"))).toBe(true);
  });
});

describe("architecture", () => {
  it.each(RULES.map((rule) => [rule.name, rule] as const))("%s", (_name, { because, check }) => {
    expect(check(tree), because).toEqual([]);
  });
});
