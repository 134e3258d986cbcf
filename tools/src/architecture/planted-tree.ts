import { buildTree, type Tree } from "./tree.ts";

const MANIFESTS = {
  "packages/clock/package.json": "@kit/clock",
  "packages/guard/package.json": "@kit/guard",
  "packages/testing/package.json": "@kit/testing",
  "apps/player/package.json": "@player/service",
  "apps/player-dashboard/package.json": "@player/dashboard",
  "apps/soc/package.json": "@soc/service",
  "apps/soc-console/package.json": "@soc/console",
  "tools/package.json": "@tools/scripts",
};

const OTHERS = {
  "package.json": `{ "name": "manara", "devDependencies": { "vitest": "4.1.12" } }`,
  "packages/http/package.json": `{ "name": "@kit/http", "dependencies": { "@kit/clock": "*" } }`,
  "docs/decisions/0007-later.md": "",
};

/** The workspaces of the repository with the given files only. */
export function plantedTree(files: Readonly<Record<string, string>>): Tree {
  const manifests = Object.entries(MANIFESTS).map(([path, name]) => [path, JSON.stringify({ name })] as const);
  return buildTree(new Map([...manifests, ...Object.entries({ ...OTHERS, ...files })]));
}
