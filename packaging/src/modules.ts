import { cp, readFile, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import Type from "typebox";
import Value from "typebox/value";

const Manifest = Type.Object({ dependencies: Type.Optional(Type.Record(Type.String(), Type.String())) });
/** What only compilers and people read. Licences have other names. */
const UNUSED = /\.(d\.[cm]?ts|map|markdown|md|ts)$/;

export interface ModulesOptions {
  /** The root of the repository. */
  root: string;
  /** Packages that the product loads; what they depend on follows. */
  names: readonly string[];
  /** Of large packages: the only files and folders that are used. */
  used: Readonly<Record<string, readonly string[]>>;
  /** The folder node_modules of the package. */
  modules: string;
}

/** Copies packages with all that they depend on, each at the same place below node_modules as here. */
export async function stageModules({ root, names, used, modules }: ModulesOptions): Promise<void> {
  const from = join(root, "node_modules");
  for (const folder of await listFolders(root, names)) {
    const keeps = used[relative(from, folder)];
    const isUsed = (path: string) => {
      const inside = relative(folder, path);
      if (inside.startsWith("node_modules") || UNUSED.test(inside)) return false;
      return inside === "" || !keeps || keeps.some((kept) => isBelow(inside, kept) || isBelow(kept, inside));
    };
    await cp(folder, join(modules, relative(from, folder)), { recursive: true, filter: isUsed });
  }
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

async function listFolders(root: string, names: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  const add = async (name: string, dependent: string): Promise<void> => {
    const folder = await find(root, name, dependent);
    if (found.has(folder)) return;
    found.add(folder);
    const manifest = Value.Parse(Manifest, JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
    for (const each of Object.keys(manifest.dependencies ?? {})) await add(each, folder);
  };
  for (const name of names) await add(name, root);
  return [...found];
}

/** Resolves a package as Node does: next to the dependent package, then in each parent folder. */
async function find(root: string, name: string, dependent: string): Promise<string> {
  for (let folder = dependent; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    const isThere = await stat(candidate).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
    if (folder === root) throw new Error(`${name} is not installed: run npm ci on a machine with amd64`);
  }
}
