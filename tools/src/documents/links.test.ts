import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findDeadLinks, slugify } from "./links.ts";

const ROOT = join(import.meta.dirname, "../../..");

it("finds a missing file, a missing heading and a missing page with a heading", () => {
  const pages = new Map([
    ["README.md", "[a](docs/a.md#one-two) [b](docs/b.md) [c](docs/a.md#three) [d](#here)\n\n## Here\n"],
    [
      "docs/a.md",
      "# One, two\n[up](../README.md) [out](https://example.org) `[no](link.md)`\n```sh\n[no](x.md)\n```\n",
    ],
  ]);
  expect(findDeadLinks(pages, (path) => pages.has(path))).toEqual([
    "README.md: docs/b.md",
    "README.md: docs/a.md#three",
  ]);
});

it("numbers a repeated heading like GitHub", () => {
  const pages = new Map([["a.md", "# One\n# One\n[second](#one-1) [third](#one-2)"]]);
  expect(findDeadLinks(pages, () => true)).toEqual(["a.md: #one-2"]);
  expect(slugify("The cluster under faults, Node 20.20.2 (`x`)")).toBe("the-cluster-under-faults-node-20202-x");
});

it("finds no dead link in the pages of this repository", () => {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], { cwd: ROOT });
  const paths = files.toString().trim().split("\n");
  const pages = new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
  expect(pages.size).toBeGreaterThan(90);
  expect(findDeadLinks(pages, (path) => existsSync(join(ROOT, path)))).toEqual([]);
});
