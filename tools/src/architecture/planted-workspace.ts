import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const SETTINGS = [".gitignore", ".oxlintrc.json", "biome.json", "knip.json", "tsconfig.base.json", "tsconfig.json"];
const DOOR = /"source": "\.\/(src\/[^"*]+)"/g;
const EMPTY_MODULE = "export {};\n";

export interface Plan {
  /** The repository whose settings are under test. */
  root: string;
  /** Folder and name of every workspace but the root. */
  workspaces: readonly { dir: string; name: string }[];
  /** By folder: what the manifest declares in place of the real dependencies, which nothing here would use. */
  dependencies: Readonly<Record<string, readonly string[]>>;
  files: Readonly<Record<string, string>>;
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Third parties are the real ones; our own packages must be the copies, or no tool would see what is planted. */
async function linkPackages(copy: string, { root, workspaces }: Plan): Promise<void> {
  const ourScopes = new Set(workspaces.map(({ name }) => dirname(name)));
  for (const entry of await readdir(join(root, "node_modules"))) {
    if (!ourScopes.has(entry)) await link(join(root, "node_modules", entry), join(copy, "node_modules", entry));
  }
  for (const { dir, name } of workspaces) await link(join(copy, dir), join(copy, "node_modules", name));
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}

async function copyManifest(copy: string, dir: string, { root, dependencies }: Plan): Promise<void> {
  const text = await readFile(join(root, dir, "package.json"), "utf8");
  const manifest: unknown = JSON.parse(text);
  if (typeof manifest !== "object") throw new Error(`${dir}/package.json: is not an object`);
  const declared = Object.fromEntries((dependencies[dir] ?? []).map((name) => [name, "*"]));
  const kept = { ...manifest, bin: undefined, scripts: undefined, devDependencies: undefined, dependencies: declared };
  await write(join(copy, dir, "package.json"), `${JSON.stringify(kept, null, 2)}\n`);
  for (const [, door = ""] of text.matchAll(DOOR)) await write(join(copy, dir, door), EMPTY_MODULE);
}

/** A copy of the workspace in the system's temporary folder: the real settings and doors, and the given files. */
export async function plantWorkspace(plan: Plan): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "fences-"));
  for (const name of SETTINGS) await cp(join(plan.root, name), join(copy, name));
  for (const dir of ["", ...plan.workspaces.map((workspace) => workspace.dir)]) {
    await copyManifest(copy, dir, plan);
    const hasSources = dir !== "" && dir !== "e2e";
    if (hasSources) await cp(join(plan.root, dir, "tsconfig.json"), join(copy, dir, "tsconfig.json"));
  }
  await linkPackages(copy, plan);
  for (const [path, text] of Object.entries(plan.files)) await write(join(copy, path), text);
  return copy;
}
