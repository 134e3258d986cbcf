import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSourceFile, type SourceFile } from "./source-file.ts";

export interface Dependency {
  name: string;
  version: string;
  section: string;
  line: number;
}

export interface Workspace {
  /** From the root of the repository; empty for the root itself. */
  dir: string;
  name: string;
  dependencies: readonly Dependency[];
}

export interface Tree {
  workspaces: readonly Workspace[];
  files: readonly SourceFile[];
  /** The Markdown files. */
  documents: readonly { path: string; text: string }[];
  paths: readonly string[];
}

// What .gitignore leaves out.
const IGNORED = new Set([".git", ".types", "bundle", "dist", "node_modules"]);
const IGNORED_AT_ROOT = new Set(["coverage", "var"]);
const SECTIONS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
const SOURCE = /\.[cm]?[jt]sx?$/;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function workspaceAt(path: string, text: string): Workspace {
  const manifest: unknown = JSON.parse(text);
  if (!isRecord(manifest) || typeof manifest.name !== "string") throw new Error(`${path}: has no name`);
  const lines = text.split("\n");
  const dependencies = SECTIONS.flatMap((section) => {
    const listed = manifest[section];
    return Object.entries(isRecord(listed) ? listed : {}).map(([name, version]) => ({
      name,
      version: String(version),
      section,
      line: lines.findIndex((line) => line.includes(`"${name}":`)) + 1,
    }));
  });
  const dir = posix.dirname(path);
  return { dir: dir === "." ? "" : dir, name: manifest.name, dependencies };
}

function isInside(dir: string, path: string): boolean {
  return dir === "" || path.startsWith(`${dir}/`);
}

/** A tree from texts: the repository's, or one that a test makes up. */
export function buildTree(texts: ReadonlyMap<string, string>): Tree {
  const workspaces = [...texts]
    .filter(([path]) => posix.basename(path) === "package.json")
    .map(([path, text]) => workspaceAt(path, text));
  const findPackageDir = (path: string) =>
    workspaces
      .map(({ dir }) => dir)
      .filter((dir) => isInside(dir, path))
      .reduce((longest, dir) => (dir.length > longest.length ? dir : longest), "");
  const files = [...texts]
    .filter(([path]) => SOURCE.test(path))
    .map(([path, text]) => parseSourceFile(path, findPackageDir(path), text));
  const documents = [...texts].filter(([path]) => path.endsWith(".md")).map(([path, text]) => ({ path, text }));
  return { workspaces, files, documents, paths: [...texts.keys()] };
}

export function readTree(root: string): Tree {
  const texts = new Map<string, string>();
  function read(folder: string) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      const isIgnored = IGNORED.has(entry.name) || IGNORED_AT_ROOT.has(path);
      if (entry.isDirectory() && !isIgnored) read(path);
      // No rule looks into pictures and SQL; their names are enough.
      const isRead = SOURCE.test(entry.name) || entry.name.endsWith(".md") || entry.name === "package.json";
      if (entry.isFile()) texts.set(path, isRead ? readFileSync(join(root, path), "utf8") : "");
    }
  }
  read("");
  return buildTree(texts);
}
