import { existsSync, type Stats } from "node:fs";
import { link, mkdir, mkdtemp, open, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { invalidField } from "@kit/problem";
import { syncFolder } from "./sync-folder.ts";

/**
 * Reads the key in a file. If the file is missing, creates it with access for its owner only. Processes that start
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
 * Whether users other than the owner have access to a file. A group may read a root-owned read-only file,
 * because Kubernetes mounts a Secret this way for a non-root process.
 */
export function isOpenToOthers({ mode, uid }: Pick<Stats, "mode" | "uid">): boolean {
  const isSecretOfRoot = uid === 0 && (mode & 0o777) === 0o440;
  return (mode & 0o077) !== 0 && !isSecretOfRoot;
}

/** The path of the key that will replace this one. */
export const toNextKey = (path: string) => `${path}.next`;
/** The path of the key that this one has replaced. */
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
