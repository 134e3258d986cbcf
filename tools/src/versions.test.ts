import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROOT = new URL("../../", import.meta.url).pathname;
const read = (path: string) => JSON.parse(readFileSync(`${ROOT}${path}`, "utf8"));

const MANIFESTS = Object.keys(read("package-lock.json").packages)
  .filter((path) => !path.includes("node_modules"))
  .map((path) => `${path}/package.json`.replace(/^\//, ""));

it("states a version in every package.json and the same in the lock, without which npm sbom refuses", () => {
  expect(MANIFESTS.length).toBeGreaterThan(14);
  const { packages } = read("package-lock.json");
  for (const path of MANIFESTS) {
    const { version } = read(path);
    expect(version, path).toMatch(/^\d+\.\d+\.\d+$/);
    expect(packages[path.replace(/\/?package\.json$/, "")].version, path).toBe(version);
  }
});

it.each(["player", "soc"])("keeps a changelog of the %s, with a heading for its version", (product) => {
  const lines = readFileSync(`${ROOT}apps/${product}/CHANGELOG.md`, "utf8").split("\n");
  const { version } = read(`apps/${product}/package.json`);
  expect(lines.filter((line) => line.startsWith(`## ${version} (`))).toHaveLength(1);
});
