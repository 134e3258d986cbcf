import { existsSync, type Stats } from "node:fs";
import { link, mkdir, mkdtemp, open, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { invalidField } from "@kit/problem";
import { syncFolder } from "./sync-folder.ts";

/**
 * Reads the key in a file and creates the file if it is missing, accessible to its owner only. Processes that start
 * concurrently all get the same key. Error texts begin with the name.
 */
export async function openKeyFile(
  name: string,
  path: string,
  make: () => string | Uint8Array | Promise<string>,
): Promise<Buffer> {
  if (!existsSync(path)) await createAtomically(path, await make());
  if (isOpenToOthers(await stat(path))) throw invalidField(name, "must be accessible to its owner only");
  return readFile(path);
}

/**
 * Whether users other than the owner have access to a file. A group may read a file of root that no one may write: so Kubernetes
 * gives a Secret to a process that is not root.
 */
export function isOpenToOthers({ mode, uid }: Pick<Stats, "mode" | "uid">): boolean {
  const isSecretOfRoot = uid === 0 && (mode & 0o777) === 0o440;
  return (mode & 0o077) !== 0 && !isSecretOfRoot;
}

/** Beside a key: the one that will replace it. */
export const toNextKey = (path: string) => `${path}.next`;
/** Beside a key: the one that it has replaced. */
export const toFormerKey = (path: string) => `${path}.former`;

async function createAtomically(path: string, key: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(`${path}-`);
  try {
    const draft = join(folder, "draft");
    const file = await open(draft, "wx", 0o600);
    await file.writeFile(key);
    await file.sync();
    await file.close();
    // A hard link is atomic and never replaces an existing file.
    await link(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
