import { existsSync } from "node:fs";
import { link, mkdir, mkdtemp, open, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { invalidField } from "@kit/problem";

/**
 * Reads the key of a file, which is made when there is none yet, for its owner only. Several processes may start at once:
 * all get the same one. The name is what refusals begin with.
 */
export async function openKeyFile(name: string, path: string, make: () => string | Uint8Array): Promise<Buffer> {
  if (!existsSync(path)) await makeOnce(path, make());
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) throw invalidField(name, "must be accessible to its owner only");
  return readFile(path);
}

async function makeOnce(path: string, key: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(`${path}-`);
  try {
    const draft = join(folder, "draft");
    const file = await open(draft, "wx", 0o600);
    await file.writeFile(key);
    await file.sync();
    await file.close();
    // A link appears whole or not at all, and never takes the place of a file that is there.
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
